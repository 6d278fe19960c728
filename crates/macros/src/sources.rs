//! The sources of the crate being compiled, and the prints made of them.
//!
//! A print covers the tokens of a piece of code and, transitively, of every item in the crate whose
//! name it mentions; implementations of traits, which can be called without being named; and the
//! [compilation](crate::compilation), with all dependencies of the crate. That is more than the
//! code uses, never less: of two functions with the same name both count.
//!
//! Foreign macros, which may read files or make names, cannot be inspected: code that uses one has
//! no print.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::OnceLock,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, ItemImpl, ItemMod, TraitItem, UseTree, ext::IdentExt};
use xxhash_rust::xxh3::Xxh3;

use crate::{compilation::Compilation, known};

/// A piece of source: its tokens as a text, and the names in it.
struct Piece {
    text: String,
    names: BTreeSet<String>,
    /// Macros that it calls, and unknown attributes and derives.
    macros: BTreeSet<String>,
}

impl Piece {
    fn of(tokens: TokenStream) -> Self {
        let tokens = without_words(tokens);
        let (mut names, mut macros) = (BTreeSet::new(), BTreeSet::new());
        collect_names(tokens.clone(), &mut names);
        known::collect_macros(tokens.clone(), &mut macros);
        Self { text: tokens.to_string(), names, macros }
    }
}

/// An `impl Protocol`, `impl Native` or `impl Component`. Other code calls its functions without naming them,
/// except the handlers of the protocol in question.
struct Block {
    /// Its content, as text.
    text: String,
    whole: Piece,
    by_name: BTreeMap<String, Vec<Piece>>,
}

/// All pieces of source of a crate.
#[derive(Default)]
pub(crate) struct Sources {
    by_name: BTreeMap<String, Vec<Piece>>,
    blocks: Vec<Block>,
    /// Pieces that may be used without being named.
    ambient: Vec<Piece>,
    /// The macros defined here; their content is found by their names.
    own_macros: BTreeSet<String>,
    /// A digest of the compiler's options.
    compilation: u64,
    /// Whether some source cannot be inspected.
    is_opaque: bool,
}

impl Sources {
    /// The sources of the crate being compiled, read once.
    pub(crate) fn of_this_crate() -> &'static Self {
        static SOURCES: OnceLock<Sources> = OnceLock::new();
        SOURCES.get_or_init(|| match Compilation::present() {
            Some(compilation) => Self::below(&compilation),
            None => Self { is_opaque: true, ..Self::default() },
        })
    }

    fn below(compilation: &Compilation) -> Self {
        let mut sources = Self { compilation: compilation.digest, ..Self::default() };
        let folder = compilation.root.parent().unwrap_or(Path::new(""));
        sources.add_file(&compilation.root, folder);
        sources
    }

    /// Adds a file whose modules are in a folder.
    fn add_file(&mut self, file: &Path, folder: &Path) {
        let parsed = fs::read_to_string(file).ok().and_then(|text| syn::parse_file(&text).ok());
        match parsed {
            Some(parsed) => self.add_all(parsed.items, folder),
            None => self.is_opaque = true,
        }
    }

    fn add_all(&mut self, items: Vec<Item>, folder: &Path) {
        items.into_iter().for_each(|item| self.add(item, folder));
    }

    fn add_module(&mut self, module: ItemMod, folder: &Path) {
        // Its file may be elsewhere.
        self.is_opaque |= module.attrs.iter().any(|it| mentions(it.to_token_stream(), "path"));
        let below = folder.join(plain(&module.ident));
        if let Some((_, items)) = module.content {
            return self.add_all(items, &below);
        }
        let files = [below.with_extension("rs"), below.join("mod.rs")];
        match files.iter().find(|file| file.exists()) {
            Some(file) => self.add_file(file, &below),
            None => self.is_opaque = true,
        }
    }

    fn add(&mut self, item: Item, folder: &Path) {
        let name = match &item {
            Item::Const(item) => Some(plain(&item.ident)),
            Item::Enum(item) => Some(plain(&item.ident)),
            Item::Fn(item) => Some(plain(&item.sig.ident)),
            Item::Macro(item) => item.ident.as_ref().map(plain),
            Item::Static(item) => Some(plain(&item.ident)),
            Item::Struct(item) => Some(plain(&item.ident)),
            Item::Type(item) => Some(plain(&item.ident)),
            Item::Union(item) => Some(plain(&item.ident)),
            _ => None,
        };
        if let Item::Macro(called) = &item {
            self.own_macros.extend(name.clone());
            // The modules that it makes are unknown.
            self.is_opaque |= mentions(called.mac.tokens.clone(), "mod");
        }
        match (item, name) {
            (Item::Mod(module), _) if is_test(&module.attrs) => {}
            (Item::Mod(module), _) => self.add_module(module, folder),
            // Code that is not Rust.
            (Item::ForeignMod(_), _) => self.is_opaque = true,
            (Item::Impl(block), _) => self.add_block(block),
            // `main!` runs scenarios; no handler calls it.
            (Item::Macro(item), None)
                if item.mac.path.segments.last().is_some_and(|it| it.ident == "main") => {}
            (Item::Trait(item), _) => {
                for inner in &item.items {
                    if let TraitItem::Fn(function) = inner {
                        self.add_named(plain(&function.sig.ident), function.to_token_stream());
                    }
                }
                self.add_named(plain(&item.ident), item.to_token_stream());
            }
            (Item::Use(item), _) => {
                let mut renames = Vec::new();
                collect_renames(&item.tree, &mut renames);
                self.is_opaque |= known::is_hidden_by(&item.tree);
                for (new, old) in renames {
                    self.add_named(new, old.to_token_stream());
                }
            }
            (item, Some(name)) => self.add_named(name, item.to_token_stream()),
            (item, None) => self.ambient.push(Piece::of(item.to_token_stream())),
        }
    }

    /// Methods are found by their names. Functions of a trait implementation always count, except
    /// handlers.
    fn add_block(&mut self, block: ItemImpl) {
        let trait_name = block.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let Some(name) = trait_name else {
            for (name, tokens) in named_items(block.items) {
                self.add_named(name, tokens);
            }
            return;
        };
        let whole = Piece::of(block.to_token_stream());
        if !["Protocol", "Native", "Component"].iter().any(|it| name.ident == it) {
            return self.ambient.push(whole);
        }
        let text = items_text(&block);
        let mut by_name: BTreeMap<String, Vec<Piece>> = BTreeMap::new();
        for (name, tokens) in named_items(block.items) {
            by_name.entry(name).or_default().push(Piece::of(tokens));
        }
        self.blocks.push(Block { text, whole, by_name });
    }

    fn add_named(&mut self, name: String, tokens: TokenStream) {
        self.by_name.entry(name).or_default().push(Piece::of(tokens));
    }

    /// The print of some code of a block; `None` if not all of it can be inspected.
    pub(crate) fn print(&self, block: &str, code: TokenStream) -> Option<u64> {
        let code = Piece::of(code);
        let (own, others): (Vec<&Block>, Vec<&Block>) =
            self.blocks.iter().partition(|other| other.text == block);
        let mut pieces: Vec<&Piece> = vec![&code];
        pieces.extend(others.iter().map(|other| &other.whole));
        pieces.extend(&self.ambient);
        let named = |name: &str| {
            let own = own.iter().filter_map(|own| own.by_name.get(name));
            self.by_name.get(name).into_iter().chain(own).flatten().collect::<Vec<&Piece>>()
        };
        let names_of = |piece: &&'_ Piece| piece.names.iter().cloned().collect::<Vec<String>>();
        let mut todo: Vec<String> = pieces.iter().flat_map(names_of).collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = todo.pop() {
            if !seen.contains(&name) {
                todo.extend(named(&name).iter().flat_map(names_of));
                seen.insert(name);
            }
        }
        // The order depends on the names alone.
        pieces.extend(seen.iter().flat_map(|name| named(name)));
        let mut macros = pieces.iter().flat_map(|piece| &piece.macros);
        let is_seen = |name: &String| known::is_known(name) || self.own_macros.contains(name);
        if self.is_opaque || macros.any(|name| !is_seen(name)) {
            return None;
        }
        let mut sum = Xxh3::with_seed(self.compilation);
        for piece in pieces {
            sum.update(piece.text.as_bytes());
            sum.update(&[0]);
        }
        Some(sum.digest())
    }
}

/// The content of a block, as text that identifies it.
pub(crate) fn items_text(block: &ItemImpl) -> String {
    let items = block.items.iter().map(|item| without_words(item.to_token_stream()).to_string());
    let of = without_words(block.self_ty.to_token_stream()).to_string();
    let text = items.fold(of, |text, item| text + &item);
    // Spaces between tokens may differ from the file.
    text.split_whitespace().collect()
}

/// The items of a block, by name.
fn named_items(items: Vec<ImplItem>) -> impl Iterator<Item = (String, TokenStream)> {
    items.into_iter().map(|item| {
        let name = match &item {
            ImplItem::Const(item) => plain(&item.ident),
            ImplItem::Fn(item) => plain(&item.sig.ident),
            ImplItem::Type(item) => plain(&item.ident),
            _ => String::new(),
        };
        (name, item.to_token_stream())
    })
}

/// A name without the prefix of a raw identifier.
fn plain(ident: &syn::Ident) -> String {
    ident.unraw().to_string()
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    let mut names = BTreeSet::new();
    collect_names(tokens, &mut names);
    names.contains(name)
}

/// Whether an item exists in tests alone.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

/// Tokens without documentation.
fn without_words(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let is_attribute =
                    matches!(kept.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
                let is_doc = group.stream().into_iter().next().is_some_and(
                    |first| matches!(first, TokenTree::Ident(ident) if ident == "doc"),
                );
                if is_attribute && is_doc {
                    kept.pop();
                    continue;
                }
                let inner = without_words(group.stream());
                kept.push(proc_macro2::Group::new(group.delimiter(), inner).into());
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

fn collect_names(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => {
                names.insert(plain(&ident));
            }
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Bracket {
                    collect_quoted(group.stream(), names);
                }
                collect_names(group.stream(), names);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Collects names from serde's attribute: functions in strings, or a module with two functions of
/// fixed names.
fn collect_quoted(attribute: TokenStream, names: &mut BTreeSet<String>) {
    let mut trees = attribute.into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(first)), Some(TokenTree::Group(group))) if first == "serde" => {
            for tree in group.stream() {
                let TokenTree::Literal(literal) = tree else { continue };
                let text = literal.to_string();
                let parts = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
                names.extend(parts.map(str::to_owned));
                names.extend(["serialize", "deserialize"].map(str::to_owned));
            }
        }
        _ => {}
    }
}

/// The renamings of a `use`.
fn collect_renames<'t>(tree: &'t UseTree, renames: &mut Vec<(String, &'t syn::Ident)>) {
    match tree {
        UseTree::Path(path) => collect_renames(&path.tree, renames),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| collect_renames(tree, renames));
        }
        UseTree::Rename(rename) => renames.push((rename.rename.to_string(), &rename.ident)),
        UseTree::Name(_) | UseTree::Glob(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.add_all(syn::parse_file(text).unwrap().items, Path::new(""));
        sources
    }

    const PROGRAM: &str = r#"
        use std::fmt::Debug as Shown;
        /// How often.
        const ROUNDS: u32 = 2;
        fn one() -> u32 { two() + ROUNDS }
        fn two() -> u32 { 2 }
        fn three() -> u32 { 3 }
        mod inner { pub fn four() -> u32 { 4 } }
        struct Count(u32);
        impl Count { fn five(&self) -> u32 { self.0 } }
        impl std::ops::Add for Count { type Output = Self; fn add(self, other: Self) -> Self { Self(self.0 + other.0) } }
        impl Protocol for Count { fn on_timer(&self) { self.five(); } }
        struct Other;
        impl Protocol for Other { fn on_message(&self) { six(); } }
        fn six() -> u32 { 6 }
        #[derive(Serialize)]
        struct Shaped(#[serde(with = "shape")] u32);
        mod shape { pub fn serialize() -> u32 { 8 } }
        fn r#nine() -> u32 { 90 }
        everypath::main!(three);
        #[cfg(test)]
        mod tests { fn one() -> u32 { 7 } }
    "#;

    /// Whether a change is seen in code that calls some function.
    fn is_seen(code: TokenStream, old: &str, new: &str) -> bool {
        assert_eq!(PROGRAM.matches(old).count(), 1, "{old}");
        let print = |text: &str| sources(text).print(&own(), code.clone()).expect("all is seen");
        print(PROGRAM) != print(&PROGRAM.replace(old, new))
    }

    /// The block that is asked about.
    fn own() -> String {
        items_text(&syn::parse_quote! {
            impl Protocol for Count { fn on_timer(&self) { self.five(); } }
        })
    }

    #[test]
    fn what_code_uses_counts_however_far_away_it_is() {
        assert!(is_seen(quote!(one()), "ROUNDS: u32 = 2", "ROUNDS: u32 = 1 + 1"));
        assert!(is_seen(quote!(one()), "fn two() -> u32 { 2 }", "fn two() -> u32 { 1 }"));
        assert!(is_seen(quote!(inner::four()), "{ 4 }", "{ 5 }"));
        assert!(is_seen(quote!(count.five()), "{ self.0 }", "{ 5 }"));
        assert!(is_seen(quote!(count.on_timer()), "self.five();", ""));
        assert!(is_seen(quote!(Count(1)), "struct Count(u32)", "struct Count(u64)"));
        assert!(is_seen(quote!(a.shown::<Shown>()), "fmt::Debug as", "fmt::Display as"));
        assert!(is_seen(quote!(Shaped(1)), "{ 8 }", "{ 9 }"));
        assert!(is_seen(quote!(nine()), "{ 90 }", "{ 91 }"));
        // Whoever has the other protocol calls its handlers, without naming them.
        assert!(is_seen(quote!(three()), "{ 6 }", "{ 7 }"));
        // An operator has no name.
        assert!(is_seen(quote!(a + b), "self.0 + other.0", "self.0 - other.0"));
    }

    #[test]
    fn what_code_does_not_use_does_not_count() {
        assert!(!is_seen(quote!(three()), "fn two() -> u32 { 2 }", "fn two() -> u32 { 1 }"));
        assert!(!is_seen(quote!(two()), "{ 3 }", "{ 4 }"), "what is run by `main` is no handler");
        assert!(!is_seen(quote!(one()), "How often.", "How often?"));
        assert!(!is_seen(quote!(one()), "{ 7 }", "{ 8 }"), "a test");
    }

    #[test]
    fn code_that_cannot_be_looked_into_has_no_print() {
        let is_seen = |more: &str, code: TokenStream| {
            sources(&format!("{PROGRAM}\n{more}")).print(&own(), code).is_some()
        };
        assert!(is_seen("", quote!(one())));
        for code in [
            quote!(include_str!("a")),
            quote!(include!("a")),
            quote!(env!("A")),
            quote!(option_env!("A")),
            quote!(format!("{}", line!())),
            quote!(paste!([<on e>]())),
            quote!(other::load!("a")),
            quote!(std::panic::Location::caller()),
        ] {
            let words = code.to_string();
            assert!(!is_seen("", code), "{words}");
        }
        let loads = "fn seven() -> u32 { load!(7) }";
        assert!(!is_seen(loads, quote!(seven())), "wherever it is");
        assert!(is_seen(loads, quote!(one())), "but for where it is not");
        let own = "macro_rules! load { ($it:expr) => { $it } }";
        assert!(
            is_seen(&format!("{own} {loads}"), quote!(seven())),
            "what is defined here is seen"
        );
        let own = "macro_rules! load { ($it:expr) => { include_str!(\"a\") } }";
        assert!(!is_seen(&format!("{own} {loads}"), quote!(seven())));
        assert!(!is_seen("#[embed] struct Files;", quote!(Files)));
        assert!(!is_seen("#[derive(Clone, rust_embed::Embed)] struct Files;", quote!(Files)));
        assert!(is_seen(
            "#[derive(Clone, serde::Serialize)] #[serde(default)] struct Files;",
            quote!(Files)
        ));
        for anywhere in [
            "#[path = \"../elsewhere.rs\"] mod elsewhere;",
            "extern \"C\" { fn native(); }",
            "mod nowhere;",
            "macro_rules! modules { ($($name:ident)*) => { $(mod $name;)* } }",
            "use other::vec;",
            "impl Drop for Other { fn drop(&mut self) { load!(1); } }",
        ] {
            assert!(!is_seen(anywhere, quote!(one())), "{anywhere}");
        }
        assert!(is_seen(
            "use std::{fmt::Debug, vec};",
            quote!(if !(a) {
                return !(b);
            })
        ));
    }
}
