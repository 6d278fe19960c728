//! The attribute `handlers`: which code handles what.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Error, Expr, ExprMatch, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, Pat, Result, Stmt,
    spanned::Spanned,
};

use crate::sources::{Sources, items_text};

/// The handlers that are executed on an input, each with how its part of a name is called, the variant of the
/// trigger, and which of its parameters the input is.
const WITH_INPUT: [(&str, &str, &str, usize); 4] = [
    ("on_message", "message", "Message", 4),
    ("on_undeliverable", "undeliverable", "Undeliverable", 4),
    ("on_timer", "timer", "Timer", 3),
    ("on_command", "command", "Command", 3),
];

pub(crate) fn expand(mut block: ItemImpl) -> Result<TokenStream> {
    let trait_name = block.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    if trait_name.is_none_or(|name| name.ident != "Protocol") {
        return Err(Error::new(
            block.impl_token.span(),
            "`#[handlers]` goes above an `impl Protocol for …`",
        ));
    }
    if let Some(own) = method(&block, "code") {
        return Err(Error::new(
            own.sig.ident.span(),
            "`#[handlers]` writes this function: leave it out, or the attribute",
        ));
    }
    let prints = Prints::of(&block);
    let print = |tokens: Option<&ImplItemFn>| prints.print(tokens.to_token_stream());
    let start = print(method(&block, "start"));
    // Without one of its own, a node comes up again as it did at first.
    let restart = method(&block, "restart").map_or_else(|| start.clone(), |own| print(Some(own)));
    let mut arms = Vec::new();
    for (handler, word, variant, place) in WITH_INPUT {
        let variant = Ident::new(variant, block.impl_token.span());
        let arm = match method(&block, handler) {
            None => {
                let none = prints.print(TokenStream::new());
                quote! { ::everypath::Trigger::#variant(_) => (#word, #none) }
            }
            Some(own) => parted(own, word, place, &prints)
                .map(|(input, inner)| quote! { ::everypath::Trigger::#variant(#input) => #inner })
                .unwrap_or_else(|| {
                    let whole = print(Some(own));
                    quote! { ::everypath::Trigger::#variant(_) => (#word, #whole) }
                }),
        };
        arms.push(arm);
    }
    let code: ImplItem = syn::parse_quote! {
        #[allow(unused_variables, clippy::all, clippy::pedantic)]
        fn code(&self, trigger: ::everypath::Trigger<'_, Self>) -> ::core::option::Option<::everypath::Code> {
            let (name, print) = match trigger {
                ::everypath::Trigger::Start => ("start", #start),
                ::everypath::Trigger::Restart => ("restart", #restart),
                #(#arms,)*
            };
            let print: ::core::option::Option<u64> = print;
            print.map(|print| ::everypath::Code { name, print })
        }
    };
    block.items.push(code);
    Ok(block.into_token_stream())
}

/// Prints of the code of a block.
struct Prints {
    sources: &'static Sources,
    /// The block as the sources know it.
    block: String,
    /// What decides what any of its handlers does: of which types states and messages are.
    context: TokenStream,
    /// Whether it is a block of many protocols, of which each is made with code of its own.
    is_generic: bool,
}

impl Prints {
    fn of(block: &ItemImpl) -> Self {
        let ItemImpl { generics, self_ty, items, .. } = block;
        let types = items.iter().filter(|item| !matches!(item, ImplItem::Fn(_)));
        let clause = &generics.where_clause;
        Self {
            sources: Sources::of_this_crate(),
            block: items_text(block),
            context: quote! { impl #generics for #self_ty #clause { #(#types)* } },
            is_generic: generics.type_params().next().is_some(),
        }
    }

    /// The print of some code, as an expression: none, if not all of it can be looked into.
    fn print(&self, code: TokenStream) -> TokenStream {
        let context = &self.context;
        match self.sources.print(&self.block, quote! { #context #code }) {
            Some(print) if !self.is_generic => quote! { ::core::option::Option::Some(#print) },
            _ => quote! { ::core::option::Option::None },
        }
    }
}

fn method<'b>(block: &'b ItemImpl, name: &str) -> Option<&'b ImplItemFn> {
    block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    })
}

/// A handler that ends in a `match` of its input is told apart by its arms: what the input is called, and a match that
/// gives the name and the print of each. An arm with a condition may leave its input to a later one, so
/// with such arms the handler is one piece.
fn parted(
    handler: &ImplItemFn,
    word: &str,
    place: usize,
    prints: &Prints,
) -> Option<(Ident, TokenStream)> {
    let FnArg::Typed(parameter) = handler.sig.inputs.iter().nth(place)? else { return None };
    let Pat::Ident(input) = &*parameter.pat else { return None };
    let input = input.ident.clone();
    let Stmt::Expr(Expr::Match(matching), _) = handler.block.stmts.last()? else { return None };
    let ExprMatch { expr, arms, .. } = matching;
    if !is_just(expr, &input) || arms.iter().any(|arm| matches!(arm.pat, Pat::Guard(_))) {
        return None;
    }
    let before = &handler.block.stmts[..handler.block.stmts.len() - 1];
    // Not its name, by which the other arms would be found.
    let parameters = &handler.sig.inputs;
    let parts = arms.iter().map(|arm| {
        let pattern = &arm.pat;
        let name = format!("{word}:{}", name_of(pattern));
        let print = prints.print(quote! { (#parameters) #(#before)* #arm });
        quote! { #pattern => (#name, #print) }
    });
    Some((input, quote! { match #expr { #(#parts,)* } }))
}

/// Whether an expression is the input itself, or what it refers to.
fn is_just(expression: &Expr, input: &Ident) -> bool {
    match expression {
        Expr::Path(path) => path.path.is_ident(input),
        Expr::Unary(unary) => {
            matches!(unary.op, syn::UnOp::Deref(_)) && is_just(&unary.expr, input)
        }
        _ => false,
    }
}

/// What the inputs are called that a pattern matches.
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
