//! The attribute `handlers`: names and prints of the code that handles each input.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Arm, Error, Expr, ExprMatch, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, Pat, Result, Stmt,
    spanned::Spanned,
};

use crate::sources::{Sources, items_text};

pub(crate) const WHERE: &str = "put `#[handlers]` above an `impl Protocol for …`, an `impl Native for …` or an `impl Component for …`";

/// A handler with an input: its word in names, and the position of the input among its parameters
/// if the trigger has it.
struct Handler {
    method: &'static str,
    word: &'static str,
    input: Option<usize>,
}

const fn handler(method: &'static str, word: &'static str, input: Option<usize>) -> Handler {
    Handler { method, word, input }
}

const OF_PROTOCOL: &[Handler] = &[
    handler("on_message", "message", Some(3)),
    handler("on_undeliverable", "undeliverable", Some(3)),
    handler("on_timer", "timer", Some(2)),
    handler("on_command", "command", Some(2)),
];

const OF_COMPONENT: &[Handler] = &[
    handler("on_signal", "signal", None),
    handler("on_timer", "timer", Some(2)),
    handler("on_command", "command", Some(2)),
];

/// The pattern of a handler's trigger, which binds the input or ignores it.
fn pattern(
    trigger: &TokenStream,
    word: &str,
    is_protocol: bool,
    input: Option<&Ident>,
) -> TokenStream {
    let input = input.map_or_else(|| quote! { _ }, |input| quote! { #input });
    let on = quote! { ::everypath::Input };
    match (is_protocol, word) {
        (true, "message") => quote! { #trigger::On(#on::Message { message: #input, .. }) },
        (true, "undeliverable") => {
            quote! { #trigger::On(#on::Undeliverable { message: #input, .. }) }
        }
        (true, "timer") => quote! { #trigger::On(#on::Timer(#input)) },
        (true, _) => quote! { #trigger::On(#on::Command(#input)) },
        (false, "signal") => quote! { #trigger::Signal },
        (false, "timer") => quote! { #trigger::Timer(#input) },
        (false, _) => quote! { #trigger::Command(#input) },
    }
}

pub(crate) fn expand(mut block: ItemImpl) -> Result<TokenStream> {
    let trait_name = block.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    // Whose trigger it is: that of a native protocol is its adapter's.
    let (is_protocol, whose) = match trait_name.map(|name| name.ident.to_string()).as_deref() {
        Some("Protocol") => (true, quote! { Self }),
        Some("Native") => (true, quote! { ::everypath::Opaque<Self> }),
        Some("Component") => (false, quote! { Self }),
        _ => return Err(Error::new(block.impl_token.span(), WHERE)),
    };
    let (handlers, trigger) = match is_protocol {
        true => (OF_PROTOCOL, quote! { ::everypath::Trigger }),
        false => (OF_COMPONENT, quote! { ::everypath::ComponentTrigger }),
    };
    if let Some(own) = method(&block, "code").or_else(|| method(&block, "code_names")) {
        return Err(Error::new(
            own.sig.ident.span(),
            "`#[handlers]` writes this function: remove it, or the attribute",
        ));
    }
    let prints = Prints::of(&block);
    let print = |tokens: Option<&ImplItemFn>| prints.print(tokens.to_token_stream());
    let start = print(method(&block, "start"));
    let own_restart = method(&block, "restart");
    // Without its own `restart`, a node restarts as it started.
    let restart = own_restart.map_or(start, |own| print(Some(own)));
    // Code without a print has no name either: it changes with the whole program.
    let mut names = Vec::new();
    names.extend(start.map(|_| "start".to_owned()));
    names.extend(own_restart.and(restart).map(|_| "restart".to_owned()));
    let (start, restart) = (quoted(start), quoted(restart));
    let mut arms = Vec::new();
    for Handler { method: name, word, input } in handlers {
        let on = |input| pattern(&trigger, word, is_protocol, input);
        let Some(own) = method(&block, name) else {
            let none = quoted(prints.print(TokenStream::new()));
            let any = on(None);
            arms.push(quote! { #any => (#word, #none) });
            continue;
        };
        let parts = input.and_then(|place| parted(own, word, place, &prints));
        arms.push(match parts {
            Some(Parted { input, code, names: parts }) => {
                names.extend(parts);
                let this = on(Some(&input));
                quote! { #this => #code }
            }
            None => {
                let whole = print(Some(own));
                names.extend(whole.map(|_| (*word).to_owned()));
                let whole = quoted(whole);
                let any = on(None);
                quote! { #any => (#word, #whole) }
            }
        });
    }
    let mut known = std::collections::HashSet::new();
    names.retain(|name| known.insert(name.clone()));
    block.items.push(syn::parse_quote! {
        #[allow(unused_variables, clippy::all, clippy::pedantic)]
        fn code(
            &self,
            _: ::everypath::NodeId,
            trigger: #trigger<'_, #whose>,
        ) -> ::core::option::Option<::everypath::Code> {
            let (name, print) = match trigger {
                #trigger::Start => ("start", #start),
                #trigger::Restart => ("restart", #restart),
                #(#arms,)*
            };
            let print: ::core::option::Option<u64> = print;
            print.map(|print| ::everypath::Code { name, print })
        }
    });
    block.items.push(syn::parse_quote! {
        fn code_names(&self, _: ::everypath::NodeId) -> ::std::vec::Vec<&'static str> {
            ::std::vec![#(#names),*]
        }
    });
    Ok(block.into_token_stream())
}

/// Prints of the code of a block.
struct Prints {
    sources: &'static Sources,
    /// The block as it is known in the sources.
    block: String,
    /// What all its handlers depend on: the types of states and messages, and what is seen.
    context: TokenStream,
    /// Whether it is generic, so that each of many protocols has its own code.
    is_generic: bool,
}

impl Prints {
    fn of(block: &ItemImpl) -> Self {
        let ItemImpl { generics, self_ty, items, .. } = block;
        // What is seen of a native node is part of what each of its handlers does.
        let types = items.iter().filter(|item| match item {
            ImplItem::Fn(function) => function.sig.ident == "seen",
            _ => true,
        });
        let clause = &generics.where_clause;
        Self {
            sources: Sources::of_this_crate(),
            block: items_text(block),
            context: quote! { impl #generics for #self_ty #clause { #(#types)* } },
            is_generic: generics.type_params().next().is_some(),
        }
    }

    /// The print of some code; `None` if it cannot be inspected.
    fn print(&self, code: TokenStream) -> Option<u64> {
        let context = &self.context;
        let print = self.sources.print(&self.block, quote! { #context #code });
        print.filter(|_| !self.is_generic)
    }
}

/// A print as an expression.
fn quoted(print: Option<u64>) -> TokenStream {
    match print {
        Some(print) => quote! { ::core::option::Option::Some(#print) },
        None => quote! { ::core::option::Option::None },
    }
}

fn method<'b>(block: &'b ItemImpl, name: &str) -> Option<&'b ImplItemFn> {
    block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    })
}

/// A handler split into the arms of its last `match`.
struct Parted {
    /// The name of the input.
    input: Ident,
    /// A match that returns the name and the print of each arm.
    code: TokenStream,
    /// The names of the arms that can be executed.
    names: Vec<String>,
}

/// Splits a handler that ends in a `match` of its input into its arms. An arm with a guard may pass
/// its input to a later arm, so a handler with guards stays one piece.
fn parted(handler: &ImplItemFn, word: &str, place: usize, prints: &Prints) -> Option<Parted> {
    let FnArg::Typed(parameter) = handler.sig.inputs.iter().nth(place)? else { return None };
    let Pat::Ident(input) = &*parameter.pat else { return None };
    let input = input.ident.clone();
    let Stmt::Expr(Expr::Match(matching), _) = handler.block.stmts.last()? else { return None };
    let ExprMatch { expr, arms, .. } = matching;
    if !is_just(expr, &input) || arms.iter().any(|arm| matches!(arm.pat, Pat::Guard(_))) {
        return None;
    }
    let before = &handler.block.stmts[..handler.block.stmts.len() - 1];
    // Without its name, which would find the other arms.
    let parameters = &handler.sig.inputs;
    let print = |arm: &Arm| prints.print(quote! { (#parameters) #(#before)* #arm });
    let name = |arm: &Arm| format!("{word}:{}", name_of(&arm.pat));
    let parts = arms.iter().map(|arm| {
        let (pattern, name, print) = (&arm.pat, name(arm), quoted(print(arm)));
        quote! { #pattern => (#name, #print) }
    });
    let code = quote! { match #expr { #(#parts,)* } };
    let executed = arms.iter().filter(|arm| !is_rest(&arm.pat) && !gives_up(&arm.body));
    let names = executed.filter(|arm| print(arm).is_some()).map(name).collect();
    Some(Parted { input, code, names })
}

/// Whether a pattern matches everything, so that it may never be executed.
fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(binding) => {
            let name = binding.ident.to_string();
            binding.subpat.is_none() && name.starts_with(char::is_lowercase)
        }
        Pat::Reference(reference) => is_rest(&reference.pat),
        _ => false,
    }
}

/// Whether an arm is marked as unreachable.
fn gives_up(body: &Expr) -> bool {
    matches!(body, Expr::Macro(call) if call.mac.path.is_ident("unreachable") || call.mac.path.is_ident("panic"))
}

/// Whether an expression is the input itself, or its referent.
fn is_just(expression: &Expr, input: &Ident) -> bool {
    match expression {
        Expr::Path(path) => path.path.is_ident(input),
        Expr::Unary(unary) => {
            matches!(unary.op, syn::UnOp::Deref(_)) && is_just(&unary.expr, input)
        }
        _ => false,
    }
}

/// The names of the inputs that a pattern matches.
fn name_of(pattern: &Pat) -> String {
    let last = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.to_string());
    let name = match pattern {
        Pat::Ident(ident) => Some(ident.ident.to_string()),
        Pat::Path(path) => last(&path.path),
        Pat::TupleStruct(tuple) => last(&tuple.path),
        Pat::Struct(fields) => last(&fields.path),
        Pat::Reference(reference) => Some(name_of(&reference.pat)),
        Pat::Or(or) => Some(or.cases.iter().map(name_of).collect::<Vec<_>>().join("|")),
        _ => None,
    };
    name.unwrap_or_else(|| "other".to_owned())
}
