//! `#[subject]`: a module of classes and methods, written for every machine.

mod body;
mod types;

use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Block, Error, Expr, FnArg, Ident, ImplItem, Item, ItemImpl, ItemMod, ItemStruct,
    Pat, Result, ReturnType, Token, Type,
    parse::{Parse, ParseStream},
    spanned::Spanned,
};

use self::{
    body::Writer,
    types::{Class, Classes, Ty},
};

/// What a method is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Start,
    Call,
    Invariant,
    Helper,
}

/// A method of a subject.
struct Method {
    class: usize,
    name: Ident,
    function: Ident,
    parameters: Vec<(Ident, Ty)>,
    /// Whether each parameter is `mut`.
    mutable: Vec<bool>,
    returns: Ty,
    role: Role,
    ranges: Vec<(Ident, Tokens)>,
    guard: Option<Ident>,
    about: String,
    body: Block,
}

/// The arguments of `#[subject]`: where the crate of machines is.
pub(crate) struct Arguments {
    path: Tokens,
    /// The name of the version with the seeded error.
    seeded: Option<Ident>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut arguments = Self { path: quote! { ::everypath_heap }, seeded: None };
        let words = "`#[subject]` takes only `path = …`, where `everypath_heap` is, and `seeded = …`, the name of a version with `SEEDED`";
        while !input.is_empty() {
            let name: Ident = input.parse().map_err(|error| Error::new(error.span(), words))?;
            input.parse::<Token![=]>()?;
            if name == "path" {
                let path: syn::Path = input.parse()?;
                arguments.path = path.to_token_stream();
            } else if name == "seeded" {
                arguments.seeded = Some(input.parse()?);
            } else {
                return Err(Error::new(name.span(), words));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
    }
}

/// The first line of the documentation.
fn about(attributes: &[Attribute]) -> String {
    let docs = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(it) if it.path.is_ident("doc") => match &it.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    docs.map(|line| line.trim().to_owned()).find(|line| !line.is_empty()).unwrap_or_default()
}

pub(crate) fn expand(arguments: &Arguments, module: &ItemMod) -> Result<Tokens> {
    let Some((_, items)) = &module.content else {
        return Err(Error::new(
            module.span(),
            "write the subject between the braces of the module",
        ));
    };
    let mut classes = Classes::default();
    for item in items {
        match item {
            Item::Struct(item) => {
                classes.declared.push(Class { name: item.ident.clone(), fields: Vec::new() })
            }
            Item::Impl(_) => {}
            other => {
                let words = "only structs and their methods are supported in a subject";
                return Err(Error::new(other.span(), words));
            }
        }
    }
    if classes.declared.is_empty() {
        return Err(Error::new(
            module.span(),
            "a subject needs a struct: the class of its root object",
        ));
    }
    for item in items {
        if let Item::Struct(item) = item {
            let fields = fields(item, &mut classes)?;
            let class = classes.class(&item.ident).expect("just declared");
            classes.declared[class].fields = fields;
        }
    }
    let mut methods = Vec::new();
    for item in items {
        if let Item::Impl(block) = item {
            read_methods(block, &mut classes, &mut methods)?;
        }
    }
    let sound = write(arguments, module, &mut classes, &methods, false)?;
    let Some(seeded) = &arguments.seeded else { return Ok(sound) };
    let version = ItemMod { ident: seeded.clone(), ..module.clone() };
    let seeded = write(arguments, &version, &mut classes, &methods, true)?;
    Ok(quote! { #sound #seeded })
}

fn fields(item: &ItemStruct, classes: &mut Classes) -> Result<Vec<(Ident, Ty)>> {
    if !item.generics.params.is_empty() {
        let words = "type parameters are not supported in a subject: name the class";
        return Err(Error::new(item.generics.span(), words));
    }
    let named = |field: &syn::Field| field.ident.clone();
    let words = "a class of a subject has named fields";
    let fields = item.fields.iter().map(|field| {
        let name = named(field).ok_or_else(|| Error::new(item.span(), words))?;
        Ok((name, classes.parse(&field.ty)?))
    });
    fields.collect()
}

fn read_methods(block: &ItemImpl, classes: &mut Classes, methods: &mut Vec<Method>) -> Result<()> {
    let words = "only `impl Class` is supported in a subject, with the name of one of its structs";
    let unknown = || Error::new(block.self_ty.span(), words);
    if block.trait_.is_some() || !block.generics.params.is_empty() {
        return Err(unknown());
    }
    let Type::Path(path) = &*block.self_ty else { return Err(unknown()) };
    let class = path.path.get_ident().and_then(|name| classes.class(name)).ok_or_else(unknown)?;
    for item in &block.items {
        let ImplItem::Fn(function) = item else {
            return Err(Error::new(
                item.span(),
                "only methods are supported in an `impl` of a subject",
            ));
        };
        methods.push(read_method(function, class, classes)?);
    }
    Ok(())
}

fn read_method(function: &syn::ImplItemFn, class: usize, classes: &mut Classes) -> Result<Method> {
    let signature = &function.sig;
    let mut inputs = signature.inputs.iter();
    if !matches!(inputs.next(), Some(FnArg::Receiver(_))) {
        let words = "a method of a subject begins with `self`";
        return Err(Error::new(signature.span(), words));
    }
    let (mut parameters, mut mutable) = (Vec::new(), Vec::new());
    for input in inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Pat::Ident(name) = &*typed.pat else {
            return Err(Error::new(typed.pat.span(), "name the parameter"));
        };
        parameters.push((name.ident.clone(), classes.parse(&typed.ty)?));
        mutable.push(name.mutability.is_some());
    }
    let returns = match &signature.output {
        ReturnType::Default => Ty::Unit,
        ReturnType::Type(_, ty) => classes.parse(ty)?,
    };
    let function_name = format_ident!(
        "{}_{}",
        classes.declared[class].name.to_string().to_lowercase(),
        signature.ident
    );
    let mut method = Method {
        class,
        name: signature.ident.clone(),
        function: function_name,
        parameters,
        mutable,
        returns,
        role: Role::Helper,
        ranges: Vec::new(),
        guard: None,
        about: about(&function.attrs),
        body: function.block.clone(),
    };
    function.attrs.iter().try_for_each(|attribute| read_role(attribute, &mut method))?;
    validate_role(&method, classes)?;
    Ok(method)
}

fn read_role(attribute: &Attribute, method: &mut Method) -> Result<()> {
    if attribute.path().is_ident("doc") || attribute.path().is_ident("allow") {
        return Ok(());
    }
    if attribute.path().is_ident("start") {
        method.role = Role::Start;
        return Ok(());
    }
    if attribute.path().is_ident("invariant") {
        method.role = Role::Invariant;
        return Ok(());
    }
    if !attribute.path().is_ident("call") {
        let words = "an attribute of a method is `#[call]`, `#[invariant]` or `#[start]`";
        return Err(Error::new(attribute.span(), words));
    }
    method.role = Role::Call;
    if matches!(attribute.meta, syn::Meta::Path(_)) {
        return Ok(());
    }
    let list = attribute
        .parse_args_with(syn::punctuated::Punctuated::<CallPart, Token![,]>::parse_terminated)?;
    for part in list {
        match part {
            CallPart::Guard(guard) => method.guard = Some(guard),
            CallPart::Range(name, range) => method.ranges.push((name, range)),
        }
    }
    Ok(())
}

/// A part of `#[call(…)]`.
enum CallPart {
    Guard(Ident),
    Range(Ident, Tokens),
}

impl Parse for CallPart {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            return Ok(Self::Guard(input.parse()?));
        }
        let name: Ident = input.parse()?;
        input.parse::<Token![in]>()?;
        let range: Expr = input.parse()?;
        let words = "write a range, as in `1..=n`; `n` is the bound";
        let Expr::Range(range) = range else { return Err(Error::new(range.span(), words)) };
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return Err(Error::new(range.span(), words));
        };
        let less = match range.limits {
            syn::RangeLimits::HalfOpen(_) => 1,
            _ => 0,
        };
        Ok(Self::Range(name, quote! { |n: i32| { let _ = n; (#start, #end - #less) } }))
    }
}

fn validate_role(method: &Method, classes: &Classes) -> Result<()> {
    let refuse = |words: String| Err(Error::new(method.name.span(), words));
    if method.role != Role::Helper && method.class != 0 {
        return refuse(format!(
            "only `{}`, the class of the root object, has calls, invariants and a start",
            classes.declared[0].name
        ));
    }
    match method.role {
        Role::Call => {
            for (name, ty) in &method.parameters {
                if ty.is_reference() {
                    return refuse(format!(
                        "`{name}` is a reference, but arguments of calls are numbers"
                    ));
                }
                if !method.ranges.iter().any(|(given, _)| given == name) {
                    return refuse(format!(
                        "the range of `{name}` is missing: write `#[call({name} in 1..=n)]`"
                    ));
                }
            }
            let stray = method
                .ranges
                .iter()
                .find(|(given, _)| !method.parameters.iter().any(|(name, _)| name == given));
            stray.map_or(Ok(()), |(given, _)| refuse(format!("there is no parameter `{given}`")))
        }
        Role::Invariant if !method.parameters.is_empty() || method.returns != Ty::Bool => {
            refuse("an invariant takes only `self` and returns `Bool`".to_owned())
        }
        Role::Start if method.parameters.len() > 1 => {
            refuse("the start takes `self` and, if it wants, the bound".to_owned())
        }
        _ => Ok(()),
    }
}

fn write(
    arguments: &Arguments,
    module: &ItemMod,
    classes: &mut Classes,
    methods: &[Method],
    is_seeded: bool,
) -> Result<Tokens> {
    let path = &arguments.path;
    let (mut sites, mut edges, mut functions) = (Vec::new(), Vec::new(), Vec::new());
    for (at, method) in methods.iter().enumerate() {
        let scopes = vec![method.parameters.clone()];
        let (sites, edges) = (&mut sites, &mut edges);
        let mut writer =
            Writer { path, classes, methods, method, sites, edges, at, scopes, is_seeded };
        functions.push(write_method(&mut writer)?);
    }
    let called = called(methods, &edges);
    let sites: Vec<(&Ident, String, bool)> = sites
        .into_iter()
        .map(|(at, condition)| (&methods[at].name, condition, called[at]))
        .collect();
    let outline = outline(module, path, classes, methods, &sites)?;
    let arms =
        methods.iter().enumerate().filter(|(_, method)| method.class == 0).map(|(at, method)| {
            let (function, parameters) = (&method.function, 0..method.parameters.len());
            quote! { #at => #function(machine, root #(, arguments[#parameters])*), }
        });
    let (visibility, name, attributes) = (&module.vis, &module.ident, &module.attrs);
    Ok(quote! {
        #(#attributes)*
        #[allow(unused_mut, unused_variables, unused_assignments, unreachable_code, unused_braces, unused_parens)]
        #[allow(clippy::all)]
        #visibility mod #name {
            #(#functions)*

            /// The methods, for every machine.
            #[derive(Clone, Copy, Debug, Default)]
            pub struct Code;

            impl #path::Code for Code {
                fn outline(&self) -> #path::Outline {
                    #outline
                }

                #[inline]
                fn run<M: #path::Machine>(
                    &self,
                    machine: &mut M,
                    method: usize,
                    root: M::Value,
                    arguments: &[M::Value],
                ) -> ::core::result::Result<M::Value, #path::Fault> {
                    match method {
                        #(#arms)*
                        _ => unreachable!("only methods of the root are called"),
                    }
                }
            }

            /// The subject.
            #[must_use]
            pub fn subject() -> #path::Subject {
                #path::Subject::new(Code)
            }
        }
    })
}

/// By method: whether a call or a guard executes it, directly or by way of others.
fn called(methods: &[Method], edges: &[(usize, usize)]) -> Vec<bool> {
    let guards = |name: &Ident| methods.iter().any(|it| it.guard.as_ref() == Some(name));
    let begins =
        |method: &Method| method.role == Role::Call || method.class == 0 && guards(&method.name);
    let mut called: Vec<bool> = methods.iter().map(begins).collect();
    let mut waiting: Vec<usize> = (0..methods.len()).filter(|&at| called[at]).collect();
    while let Some(caller) = waiting.pop() {
        for &(_, callee) in edges.iter().filter(|edge| edge.0 == caller) {
            if !called[callee] {
                called[callee] = true;
                waiting.push(callee);
            }
        }
    }
    called
}

fn write_method(writer: &mut Writer<'_>) -> Result<Tokens> {
    let (path, method, at) = (writer.path, writer.method, writer.at);
    let (body, ty) = writer.block(&method.body)?;
    let is_nothing = method.returns == Ty::Unit;
    if !is_nothing || ty != Ty::Unit && ty != Ty::Never {
        let span = method.body.stmts.last().map_or(method.name.span(), Spanned::span);
        if !is_nothing {
            writer.classes.expect(&ty, &method.returns, span)?;
        }
    }
    let body = match &ty {
        Ty::Never => quote! { #body },
        _ if is_nothing => quote! { #body; ::core::result::Result::Ok(machine.constant(0)) },
        _ => quote! { let result = #body; ::core::result::Result::Ok(result) },
    };
    let function = &method.function;
    let inner = format_ident!("{function}_body");
    let names: Vec<&Ident> = method.parameters.iter().map(|(name, _)| name).collect();
    let mutable = method.mutable.iter().map(|&it| it.then(|| quote! { mut }));
    let number = at as u16;
    Ok(quote! {
        #[inline]
        fn #inner<M: #path::Machine>(
            machine: &mut M,
            this: M::Value,
            #(#mutable #names: M::Value),*
        ) -> ::core::result::Result<M::Value, #path::Fault> {
            #body
        }

        #[inline]
        fn #function<M: #path::Machine>(
            machine: &mut M,
            this: M::Value,
            #(#names: M::Value),*
        ) -> ::core::result::Result<M::Value, #path::Fault> {
            machine.enter()?;
            match #inner(machine, this, #(#names),*) {
                ::core::result::Result::Ok(value) => {
                    machine.leave();
                    ::core::result::Result::Ok(value)
                }
                ::core::result::Result::Err(fault) => {
                    ::core::result::Result::Err(fault.within(#number))
                }
            }
        }
    })
}

fn outline(
    module: &ItemMod,
    path: &Tokens,
    classes: &Classes,
    methods: &[Method],
    sites: &[(&Ident, String, bool)],
) -> Result<Tokens> {
    let (name, about) = (module.ident.to_string(), about(&module.attrs));
    let declared = classes.declared.iter().map(|class| {
        let name = class.name.to_string();
        let fields = class.fields.iter().map(|(field, ty)| {
            let (field, kind) = (field.to_string(), ty.kind(path));
            quote! { (#field, #kind) }
        });
        quote! { #path::Class::new(#name, &[#(#fields),*]) }
    });
    let arrays = classes.arrays.iter().map(|element| {
        let name = classes.words(&Ty::Array(Box::new(element.clone())));
        let (name, kind) = (name.trim_matches('`').to_owned(), element.kind(path));
        quote! { #path::Class::array(#name, #kind) }
    });
    let methods: Vec<Tokens> = methods
        .iter()
        .map(|method| method_outline(method, path, methods))
        .collect::<Result<_>>()?;
    let sites = sites.iter().map(|(method, condition, is_called)| {
        let method = method.to_string();
        quote! { #path::Site::new(#method, #condition, #is_called) }
    });
    Ok(quote! {
        #path::Outline {
            name: #name.to_owned(),
            about: #about.to_owned(),
            classes: vec![#(#declared,)* #(#arrays,)*],
            methods: vec![#(#methods,)*],
            sites: vec![#(#sites,)*],
        }
    })
}

fn method_outline(method: &Method, path: &Tokens, methods: &[Method]) -> Result<Tokens> {
    let (name, about) = (method.name.to_string(), &method.about);
    let role = match method.role {
        Role::Start => quote! { Start },
        Role::Call => quote! { Call },
        Role::Invariant => quote! { Invariant },
        Role::Helper => quote! { Helper },
    };
    let range = |(name, _): &(Ident, Ty)| {
        let (text, given) =
            (name.to_string(), method.ranges.iter().find(|(given, _)| given == name));
        let range = given.map_or(quote! { |n: i32| (n, n) }, |(_, range)| range.clone());
        quote! { .parameter(#text, #range) }
    };
    let parameters = method.parameters.iter().map(range);
    let returns = (method.returns != Ty::Unit).then(|| {
        let kind = method.returns.kind(path);
        quote! { .returns(#kind) }
    });
    let guard = method.guard.as_ref().map(|guard| {
        let found = methods.iter().position(|it| it.class == 0 && it.name == *guard);
        let fits = |at: &usize| {
            let types =
                |it: &Method| it.parameters.iter().map(|(_, ty)| ty.clone()).collect::<Vec<_>>();
            methods[*at].returns == Ty::Bool && types(&methods[*at]) == types(method)
        };
        let words = format!(
            "the guard `{guard}` must be a method with the same parameters that returns `Bool`"
        );
        let at = found.filter(fits).ok_or_else(|| Error::new(guard.span(), words))?;
        Ok::<_, Error>(quote! { .guard(#at) })
    });
    let guard = guard.transpose()?;
    Ok(quote! {
        #path::Method::new(#name, #path::Role::#role) #(#parameters)* #returns #guard .about(#about)
    })
}
