//! The sources of the package that is being compiled, as far as they say what a handler does.
//!
//! What a piece of code does is decided by its own tokens and by those of everything in the package that has a
//! name which it mentions, and so on; by implementations of traits, which can be called without being named; and by
//! the packages it depends on. That is more than what it uses, never less: of two functions with the same
//! name both count.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, ItemImpl, TraitItem, UseTree};
use xxhash_rust::xxh3::Xxh3;

/// A piece of source: its tokens as a text, and the names in it.
struct Piece {
    text: String,
    names: BTreeSet<String>,
}

impl Piece {
    fn of(tokens: TokenStream) -> Self {
        let mut names = BTreeSet::new();
        collect_names(tokens.clone(), &mut names);
        Self { text: tokens.to_string(), names }
    }
}

/// All pieces of a package.
#[derive(Default)]
pub(crate) struct Sources {
    by_name: BTreeMap<String, Vec<Piece>>,
    /// What may be used without being named.
    ambient: Vec<Piece>,
    /// What the packages say that this one depends on.
    foreign: u64,
}

impl Sources {
    /// Those of the package that is being compiled, read once.
    pub(crate) fn of_this_package() -> &'static Self {
        static SOURCES: OnceLock<Sources> = OnceLock::new();
        SOURCES.get_or_init(|| match std::env::var_os("CARGO_MANIFEST_DIR") {
            Some(folder) => Self::of_package(Path::new(&folder)),
            None => Self::default(),
        })
    }

    fn of_package(folder: &Path) -> Self {
        let mut sources = Self { foreign: foreign(folder), ..Self::default() };
        for file in rust_files(folder) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            match syn::parse_file(&text) {
                Ok(parsed) => sources.add_all(parsed.items),
                // A file that is no module, or a mistake in it: whatever changes there counts.
                Err(_) => sources.ambient.push(Piece { text, names: BTreeSet::new() }),
            }
        }
        sources
    }

    fn add_all(&mut self, items: Vec<Item>) {
        items.into_iter().for_each(|item| self.add(item));
    }

    fn add(&mut self, item: Item) {
        let name = match &item {
            Item::Const(item) => Some(item.ident.to_string()),
            Item::Enum(item) => Some(item.ident.to_string()),
            Item::Fn(item) => Some(item.sig.ident.to_string()),
            Item::Macro(item) => item.ident.as_ref().map(ToString::to_string),
            Item::Static(item) => Some(item.ident.to_string()),
            Item::Struct(item) => Some(item.ident.to_string()),
            Item::Type(item) => Some(item.ident.to_string()),
            Item::Union(item) => Some(item.ident.to_string()),
            _ => None,
        };
        match (item, name) {
            (Item::Mod(module), _) if is_test(&module.attrs) => {}
            (Item::Mod(module), _) => {
                if let Some((_, items)) = module.content {
                    self.add_all(items);
                }
            }
            (Item::Impl(block), _) => self.add_block(block),
            // It runs scenarios, and no handler runs it.
            (Item::Macro(item), None)
                if item.mac.path.segments.last().is_some_and(|it| it.ident == "main") => {}
            (Item::Trait(item), _) => {
                for inner in &item.items {
                    if let TraitItem::Fn(function) = inner {
                        self.add_named(function.sig.ident.to_string(), function.to_token_stream());
                    }
                }
                self.add_named(item.ident.to_string(), item.to_token_stream());
            }
            (Item::Use(item), _) => {
                let mut renames = Vec::new();
                collect_renames(&item.tree, &mut renames);
                for (new, old) in renames {
                    self.add_named(new, old.to_token_stream());
                }
            }
            (item, Some(name)) => self.add_named(name, item.to_token_stream()),
            (item, None) => self.ambient.push(Piece::of(without_words(item.to_token_stream()))),
        }
    }

    /// Methods are found by their names; what a trait makes others call is always there, but for handlers.
    fn add_block(&mut self, block: ItemImpl) {
        let trait_name = block.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let is_found_by_name =
            trait_name.is_none_or(|name| name.ident == "Protocol" || name.ident == "Component");
        if !is_found_by_name {
            return self.ambient.push(Piece::of(without_words(block.to_token_stream())));
        }
        for item in block.items {
            let name = match &item {
                ImplItem::Const(item) => item.ident.to_string(),
                ImplItem::Fn(item) => item.sig.ident.to_string(),
                ImplItem::Type(item) => item.ident.to_string(),
                _ => String::new(),
            };
            self.add_named(name, item.to_token_stream());
        }
    }

    fn add_named(&mut self, name: String, tokens: TokenStream) {
        let piece = Piece::of(without_words(tokens));
        self.by_name.entry(name).or_default().push(piece);
    }

    /// A digest of some code and of all that decides what it does.
    pub(crate) fn print(&self, code: TokenStream) -> u64 {
        let mut sum = Xxh3::new();
        let mut add = |text: &str| {
            sum.update(text.as_bytes());
            sum.update(&[0]);
        };
        let code = Piece::of(without_words(code));
        add(&code.text);
        add(&self.foreign.to_string());
        let mut todo: Vec<&str> = code.names.iter().map(String::as_str).collect();
        for piece in &self.ambient {
            add(&piece.text);
            todo.extend(piece.names.iter().map(String::as_str));
        }
        let mut seen = BTreeSet::new();
        while let Some(name) = todo.pop() {
            if seen.insert(name) {
                let pieces = self.by_name.get(name).into_iter().flatten();
                todo.extend(pieces.flat_map(|piece| piece.names.iter().map(String::as_str)));
            }
        }
        // In an order that depends on nothing but the names.
        for name in seen {
            for piece in self.by_name.get(name).into_iter().flatten() {
                add(&piece.text);
            }
        }
        sum.digest()
    }
}

/// Whether something is there in tests alone.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

/// Tokens without what is said about them.
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
                names.insert(ident.to_string());
            }
            TokenTree::Group(group) => collect_names(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// What is called by another name.
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

/// All files of Rust below a folder but for what is built, in order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => return found,
    };
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// A digest of all that other packages contribute: of the lock file for those with versions, of their sources for
/// those in folders.
fn foreign(folder: &Path) -> u64 {
    let mut sum = Xxh3::new();
    let mut folders = BTreeSet::new();
    for above in folder.ancestors() {
        let manifest = fs::read_to_string(above.join("Cargo.toml")).unwrap_or_default();
        if above == folder || manifest.contains("[workspace") {
            let paths =
                manifest.split("path = \"").skip(1).filter_map(|rest| rest.split('"').next());
            folders.extend(paths.filter_map(|path| fs::canonicalize(above.join(path)).ok()));
        }
        if let Ok(lock) = fs::read(above.join("Cargo.lock")) {
            sum.update(&lock);
            break;
        }
    }
    let own = fs::canonicalize(folder).unwrap_or_default();
    let files: BTreeSet<PathBuf> = folders.iter().flat_map(|folder| rust_files(folder)).collect();
    for file in files.iter().filter(|file| !file.starts_with(&own)) {
        sum.update(&fs::read(file).unwrap_or_default());
    }
    sum.digest()
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.add_all(syn::parse_file(text).unwrap().items);
        sources
    }

    const PROGRAM: &str = "
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
        everypath::main!(three);
        #[cfg(test)]
        mod tests { fn one() -> u32 { 7 } }
    ";

    /// Whether a change is seen in code that calls some function.
    fn is_seen(code: TokenStream, old: &str, new: &str) -> bool {
        assert_eq!(PROGRAM.matches(old).count(), 1, "{old}");
        sources(PROGRAM).print(code.clone()) != sources(&PROGRAM.replace(old, new)).print(code)
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
}
