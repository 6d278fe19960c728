//! The attribute `ports`: the incoming and outgoing signals of each port of a component.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Attribute, Error, Fields, GenericArgument, Ident, ItemStruct, PathArguments, Result, Type,
    ext::IdentExt, spanned::Spanned,
};

use crate::camel_case;

const HOW: &str = "each port is a field `name: Provides<Contract>` or `name: Uses<Contract>`";

struct Port<'a> {
    field: &'a Ident,
    variant: Ident,
    docs: Vec<&'a Attribute>,
    port: &'a Type,
    contract: &'a Type,
    provides: bool,
}

pub(crate) fn expand(item: &ItemStruct) -> Result<TokenStream> {
    if !item.generics.params.is_empty() {
        return Err(Error::new(item.generics.span(), "`#[ports]` takes no type parameters"));
    }
    let Fields::Named(fields) = &item.fields else {
        return Err(Error::new(item.span(), format!("`#[ports]` needs named fields: {HOW}")));
    };
    let ports: Vec<Port<'_>> = fields.named.iter().map(port).collect::<Result<_>>()?;
    let (name, visibility, attributes) = (&item.ident, &item.vis, &item.attrs);
    let words = name.unraw().to_string();
    let words = words.strip_suffix("Ports").unwrap_or(&words);
    let (inputs, outputs) = (format_ident!("{words}In"), format_ident!("{words}Out"));
    let contract = quote! { ::everypath::component::Contract };
    let variants = |incoming: bool| {
        let variants =
            ports.iter().map(|Port { variant, docs, contract: of, provides, .. }| {
                let what = if *provides == incoming { "Request" } else { "Indication" };
                let what = Ident::new(what, variant.span());
                quote! { #(#docs)* #variant(<#of as #contract>::#what) }
            });
        quote! { { #(#variants,)* } }
    };
    let (coming, going) = (variants(true), variants(false));
    let derives = quote! {
        #[derive(
            Clone, Debug, PartialEq, Eq, Hash,
            ::everypath::serde::Serialize, ::everypath::serde::Deserialize,
        )]
        #[serde(crate = "::everypath::serde")]
        #[allow(missing_docs)]
    };
    let constants = ports.iter().map(|Port { field, port, .. }| {
        quote! {
            #visibility const fn #field() -> #port { <#port>::PORT }
        }
    });
    let mut links = ports.iter().filter_map(|port| Some((&port.variant, link(port)?)));
    let sends = match (links.next(), links.next()) {
        (Some((variant, message)), None) => quote! {
            impl ::core::convert::From<::everypath::Outgoing<#message>> for #outputs {
                fn from(outgoing: ::everypath::Outgoing<#message>) -> Self {
                    Self::#variant(outgoing)
                }
            }
        },
        _ => TokenStream::new(),
    };
    let names: Vec<_> = ports.iter().map(|port| port.field.unraw().to_string()).collect();
    let unwired: Vec<_> = names
        .iter()
        .map(|port| format!("port `{port}` of `{name}` has no wire: every port needs one"))
        .collect();
    let came = format!("A signal that comes in through [`{words}`'s ports]({name}).");
    let goes = format!("A signal that goes out through [`{words}`'s ports]({name}).");
    Ok(quote! {
        #(#attributes)*
        #visibility enum #name {}

        #[allow(dead_code, missing_docs)]
        impl #name {
            #(#constants)*
        }

        #[doc = #came]
        #derives
        #visibility enum #inputs #coming

        #[doc = #goes]
        #derives
        #visibility enum #outputs #going

        impl ::everypath::component::Ports for #name {
            type In = #inputs;
            type Out = #outputs;
            const PORTS: &'static [(&'static str, &'static str)] = &[#((#names, #unwired)),*];
        }

        #sends
    })
}

fn port(field: &syn::Field) -> Result<Port<'_>> {
    let name = field.ident.as_ref().expect("a named field has a name");
    let Some((word, contract)) = generic(&field.ty) else {
        return Err(Error::new(field.ty.span(), HOW));
    };
    let provides = match word.to_string().as_str() {
        "Provides" => true,
        "Uses" => false,
        _ => return Err(Error::new(field.ty.span(), HOW)),
    };
    let docs = field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    Ok(Port { field: name, variant: camel_case(name), docs, port: &field.ty, contract, provides })
}

/// The last name of a type with one parameter, and the parameter.
fn generic(of: &Type) -> Option<(&Ident, &Type)> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(argument) if arguments.args.len() == 1 => {
            Some((&last.ident, argument))
        }
        _ => None,
    }
}

/// The messages of a port that uses the network.
fn link<'a>(port: &Port<'a>) -> Option<&'a Type> {
    let (name, message) = generic(port.contract)?;
    (name == "Link" && !port.provides).then_some(message)
}
