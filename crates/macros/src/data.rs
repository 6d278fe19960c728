//! `#[data]`: what states, messages, timers and commands need.

use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, quote};
use syn::{
    Error, Field, Generics, Ident, Item, Result, Type, ext::IdentExt, parse::Parser,
    punctuated::Punctuated, spanned::Spanned,
};

/// The types within which values are compared and hashed as they are. `Ignored` is none of them.
const TRANSPARENT: [&str; 11] = [
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Cow",
    "LinkedList",
    "Option",
    "Rc",
    "Result",
    "Vec",
    "VecDeque",
];

pub(crate) fn expand(arguments: Tokens, item: Item) -> Result<Tokens> {
    let display = shows_display(arguments)?;
    let (name, generics, fields): (&Ident, &Generics, Vec<&Field>) = match &item {
        Item::Struct(item) => (&item.ident, &item.generics, item.fields.iter().collect()),
        Item::Enum(item) => {
            let fields = item.variants.iter().flat_map(|variant| &variant.fields);
            (&item.ident, &item.generics, fields.collect())
        }
        other => return Err(Error::new(other.span(), "put `#[data]` above a struct or an enum")),
    };
    let unsuited = fields.iter().filter_map(|field| unsuited(&field.ty));
    if let Some(errors) = unsuited.reduce(|mut all, next| {
        all.combine(next);
        all
    }) {
        return Err(errors);
    }
    let (debug, shown) = if display {
        let (own, of, bounds) = generics.split_for_impl();
        let bounds = bounds.into_iter();
        let shown = quote! {
            #[automatically_derived]
            impl #own ::core::fmt::Debug for #name #of #(#bounds)* {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Display::fmt(self, f)
                }
            }
        };
        (Tokens::new(), shown)
    } else {
        (quote!(Debug,), Tokens::new())
    };
    Ok(quote! {
        #[derive(
            Clone, #debug PartialEq, Eq, PartialOrd, Ord, Hash,
            ::everypath::serde::Serialize, ::everypath::serde::Deserialize,
        )]
        #[serde(crate = "::everypath::serde")]
        #item
        #shown
    })
}

/// Whether values are printed by their `Display`.
fn shows_display(arguments: Tokens) -> Result<bool> {
    let words = "`#[data]` takes no arguments but `display`: `#[data(display)]` prints values by their `Display`";
    let refused = || Error::new(proc_macro2::Span::call_site(), words);
    let given = Punctuated::<Ident, syn::Token![,]>::parse_terminated.parse2(arguments);
    let given = given.map_err(|_| refused())?;
    match given.into_iter().collect::<Vec<_>>().as_slice() {
        [] => Ok(false),
        [only] if only == "display" => Ok(true),
        _ => Err(refused()),
    }
}

/// Why a field of this type cannot be a part of data, where that can be seen from its name.
fn unsuited(field: &Type) -> Option<Error> {
    match field {
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let name = last.ident.unraw().to_string();
            let advice = match name.as_str() {
                "f32" | "f64" => {
                    "has no exact equality: count in small units, such as microseconds in a `u64`, or wrap what decides nothing in `Ignored`"
                }
                "HashMap" | "IndexMap" => "has no order of its own: use a `BTreeMap`",
                "HashSet" | "IndexSet" => "has no order of its own: use a `BTreeSet`",
                "Instant" | "SystemTime" => {
                    "is the time of this machine: nodes measure time by their timers, with `node.set_timer` and `node.time_left`"
                }
                _ if TRANSPARENT.contains(&name.as_str()) => return within(&last.arguments),
                _ => return None,
            };
            let text =
                format!("`{name}` cannot be in states, messages, timers or commands: it {advice}");
            Some(Error::new_spanned(field.to_token_stream(), text))
        }
        Type::Tuple(tuple) => tuple.elems.iter().find_map(unsuited),
        Type::Array(array) => unsuited(&array.elem),
        Type::Paren(inner) => unsuited(&inner.elem),
        _ => None,
    }
}

fn within(arguments: &syn::PathArguments) -> Option<Error> {
    let syn::PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(inner) => unsuited(inner),
        _ => None,
    })
}
