//! The attribute `composite`: one component made of several.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Error, Fields, Ident, ItemStruct, Result, Token, Type,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    spanned::Spanned,
};

use crate::{camel_case, one_of, prints_as_its_content};

const HOW: &str = "`#[composite]` takes `ports = …` and wires, from a port that uses a contract to one that provides it: `part.port => part.port`; a port of the whole is a name alone: `part.port => port`, `port => part.port`";

/// The arguments of the attribute.
pub(crate) struct Arguments {
    ports: Type,
    wires: Vec<(End, End)>,
}

/// A port: of a part, or of the whole.
struct End {
    part: Option<Ident>,
    port: Ident,
}

impl End {
    fn span(&self) -> Span {
        self.part.as_ref().map_or_else(|| self.port.span(), Ident::span)
    }

    fn words(&self) -> String {
        match &self.part {
            Some(part) => format!("{part}.{}", self.port),
            None => self.port.to_string(),
        }
    }
}

impl Parse for End {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let first: Ident = input.call(Ident::parse_any)?;
        if input.parse::<Option<Token![.]>>()?.is_some() {
            return Ok(Self { part: Some(first), port: input.call(Ident::parse_any)? });
        }
        Ok(Self { part: None, port: first })
    }
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut ports = None;
        let mut wires = Vec::new();
        let how = |error: Error| Error::new(error.span(), HOW);
        while !input.is_empty() {
            if input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![=>]) {
                let word: Ident = input.parse().map_err(how)?;
                if word != "ports" || ports.is_some() {
                    return Err(Error::new(word.span(), HOW));
                }
                input.parse::<Token![=]>()?;
                ports = Some(input.parse()?);
            } else {
                let user = input.parse().map_err(how)?;
                input.parse::<Token![=>]>().map_err(how)?;
                wires.push((user, input.parse().map_err(how)?));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>().map_err(how)?;
            }
        }
        let ports = ports.ok_or_else(|| Error::new(input.span(), HOW))?;
        Ok(Self { ports, wires })
    }
}

/// One of the components.
struct Part {
    field: Ident,
    variant: Ident,
    component: Type,
    ports: Ident,
    input: Ident,
    output: Ident,
    outlet: Ident,
    /// Where its signals go: an arm for each port.
    leaving: Vec<TokenStream>,
    /// Whether it has a port of the whole, so that signals come in from outside.
    is_entered: bool,
}

pub(crate) fn expand(arguments: &Arguments, item: &ItemStruct) -> Result<TokenStream> {
    let mut parts = parts_of(item)?;
    let mut checks = join(&arguments.wires, &mut parts)?;
    checks.extend(all_wired(arguments, &parts));
    let (name, visibility, own) = (&item.ident, &item.vis, &arguments.ports);
    let (state, timer, command) = (
        format_ident!("{name}State"),
        format_ident!("{name}Timer"),
        format_ident!("{name}Command"),
    );
    let coming = coming(&arguments.wires, &parts, &timer);
    let fields: Vec<_> = parts.iter().map(|part| &part.field).collect();
    let variants: Vec<_> = parts.iter().map(|part| &part.variant).collect();
    let components: Vec<_> = parts.iter().map(|part| &part.component).collect();
    let words: Vec<_> = fields.iter().map(|field| field.unraw().to_string()).collect();
    let ports: Vec<_> = parts.iter().map(|part| &part.ports).collect();
    let inputs: Vec<_> = parts.iter().map(|part| &part.input).collect();
    let outputs: Vec<_> = parts.iter().map(|part| &part.output).collect();
    let outlets: Vec<_> = parts.iter().map(|part| &part.outlet).collect();
    let leaving: Vec<_> = parts.iter().map(|part| &part.leaving).collect();
    let entered: Vec<_> = parts.iter().map(|part| part.is_entered).collect();
    let the = quote! { ::everypath::component };
    let kind = quote! { ::everypath::component::Component };
    let timers = one_of(visibility, &timer, "Timer", &kind, &variants, &components);
    let commands = one_of(visibility, &command, "Command", &kind, &variants, &components);
    let (timers_print, commands_print) =
        (prints_as_its_content(&timer, &variants), prints_as_its_content(&command, &variants));
    // The effects of a part.
    let acting: Vec<_> = parts
        .iter()
        .map(|Part { variant, outlet, .. }| {
            quote! {
                ::everypath::PartEffects::new(effects, #timer::#variant, #outlet(&mut signals))
            }
        })
        .collect();
    let about = format!("The state of a [`{name}`], by component.");
    Ok(quote! {
        #item

        #[doc = #about]
        #[derive(
            Clone, Debug, PartialEq, Eq, Hash,
            ::everypath::serde::Serialize, ::everypath::serde::Deserialize,
        )]
        #[serde(crate = "::everypath::serde")]
        #[allow(missing_docs)]
        #visibility struct #state {
            #(#visibility #fields: <#components as #kind>::State,)*
        }

        #timers
        #timers_print
        #commands
        #commands_print

        #[allow(non_camel_case_types, clippy::all, clippy::pedantic)]
        const _: () = {
            #(
                type #ports = <#components as #kind>::Ports;
                type #inputs = #the::In<#components>;
                type #outputs = #the::Out<#components>;
            )*
            type __Ports = #own;
            type __In = <__Ports as #the::Ports>::In;
            type __Out = <__Ports as #the::Ports>::Out;

            const _: () = { #(#checks)* };

            /// A signal under way to a component.
            enum Signal { #(#variants(#inputs),)* }

            #(
                /// Sends a signal of a component outside, or to another component.
                struct #outlets<'a>(&'a mut #the::Signals<Signal>);

                impl<F: ::everypath::Effects<#the::PartOf<#name>>> ::everypath::Outlet<#outputs, F> for #outlets<'_> {
                    #[track_caller]
                    #[inline]
                    #[allow(unused_variables, unreachable_patterns)]
                    fn emit(&mut self, out: #outputs, whole: &mut F) {
                        let signals = &mut *self.0;
                        match out {
                            #(#leaving,)*
                            _ => ::core::unreachable!("every port has a wire"),
                        }
                    }
                }
            )*

            impl #name {
                /// Delivers signals among the components until none is under way.
                #[inline]
                fn __settle<F: ::everypath::Effects<#the::PartOf<Self>>>(
                    &self,
                    id: ::everypath::NodeId,
                    state: &mut #state,
                    mut signals: #the::Signals<Signal>,
                    effects: &mut F,
                ) {
                    while let ::core::option::Option::Some(signal) = signals.next() {
                        match signal {
                            #(Signal::#variants(signal) => {
                                let input = #the::ComponentInput::Signal(signal);
                                #kind::handle(&self.#fields, id, &mut state.#fields, input, &mut #acting);
                            })*
                        }
                    }
                }
            }

            impl #kind for #name {
                type State = #state;
                type Timer = #timer;
                type Command = #command;
                type Ports = __Ports;

                fn start(&self, node: &mut #the::PartStart<'_, Self>) -> #state {
                    let (id, (), mut effects) = node.parts();
                    self.bring_up(id, ::core::option::Option::None, &mut effects)
                }

                fn restart(&self, node: &mut #the::PartStart<'_, Self>, before: &#state) -> #state {
                    let (id, (), mut effects) = node.parts();
                    self.bring_up(id, ::core::option::Option::Some(before), &mut effects)
                }

                fn on_signal(&self, node: &mut #the::Part<'_, Self>, signal: __In) {
                    let (id, state, mut effects) = node.parts();
                    self.handle(id, state, #the::ComponentInput::Signal(signal), &mut effects);
                }

                fn on_timer(&self, node: &mut #the::Part<'_, Self>, timer: &#timer) {
                    let (id, state, mut effects) = node.parts();
                    self.handle(id, state, #the::ComponentInput::Timer(timer), &mut effects);
                }

                fn on_command(&self, node: &mut #the::Part<'_, Self>, command: &#command) {
                    let (id, state, mut effects) = node.parts();
                    self.handle(id, state, #the::ComponentInput::Command(command), &mut effects);
                }

                fn commands(&self, id: ::everypath::NodeId, state: &#state) -> ::std::vec::Vec<#command> {
                    let mut all = ::std::vec::Vec::new();
                    #(all.extend(#kind::commands(&self.#fields, id, &state.#fields).into_iter().map(#command::#variants));)*
                    all
                }

                #[inline]
                fn bring_up<F: ::everypath::Effects<#the::PartOf<Self>>>(
                    &self,
                    id: ::everypath::NodeId,
                    before: ::core::option::Option<&#state>,
                    effects: &mut F,
                ) -> #state {
                    let mut signals = #the::Signals::new();
                    #(
                        let #fields = {
                            let before = before.map(|before| &before.#fields);
                            #kind::bring_up(&self.#fields, id, before, &mut #acting)
                        };
                    )*
                    let mut state = #state { #(#fields,)* };
                    self.__settle(id, &mut state, signals, effects);
                    state
                }

                #[inline]
                fn handle<F: ::everypath::Effects<#the::PartOf<Self>>>(
                    &self,
                    id: ::everypath::NodeId,
                    state: &mut #state,
                    input: #the::ComponentInput<'_, Self>,
                    effects: &mut F,
                ) {
                    let mut signals = #the::Signals::new();
                    match input {
                        #[allow(unreachable_patterns)]
                        #the::ComponentInput::Signal(signal) => match signal {
                            #(#coming,)*
                            _ => ::core::unreachable!("every port has a wire"),
                        },
                        #(
                            #the::ComponentInput::Timer(#timer::#variants(timer)) => {
                                let input = #the::ComponentInput::Timer(timer);
                                #kind::handle(&self.#fields, id, &mut state.#fields, input, &mut #acting);
                            }
                            #the::ComponentInput::Command(#command::#variants(command)) => {
                                let input = #the::ComponentInput::Command(command);
                                #kind::handle(&self.#fields, id, &mut state.#fields, input, &mut #acting);
                            }
                        )*
                    }
                    self.__settle(id, state, signals, effects);
                }

                fn code(
                    &self,
                    id: ::everypath::NodeId,
                    trigger: ::everypath::ComponentTrigger<'_, Self>,
                ) -> ::core::option::Option<::everypath::Code> {
                    use ::everypath::ComponentTrigger as On;
                    let signals = [#((#words, #entered, #kind::code(&self.#fields, id, On::Signal)?),)*];
                    let code = match trigger {
                        On::Start => ::everypath::Code::of_all(
                            "start",
                            &[#(#kind::code(&self.#fields, id, On::Start)?,)*],
                        ),
                        On::Restart => ::everypath::Code::of_all(
                            "restart",
                            &[#(#kind::code(&self.#fields, id, On::Restart)?,)*],
                        ),
                        On::Signal => ::everypath::Code::of_signals(&signals),
                        #(
                            On::Timer(#timer::#variants(timer)) => {
                                #kind::code(&self.#fields, id, On::Timer(timer))?.within(#words)
                            }
                            On::Command(#command::#variants(command)) => {
                                #kind::code(&self.#fields, id, On::Command(command))?.within(#words)
                            }
                        )*
                    };
                    // Any signal may cause any other among the components.
                    let follows = |code: ::everypath::Code, (_, _, signal): &(_, _, ::everypath::Code)| code.and(*signal);
                    ::core::option::Option::Some(signals.iter().fold(code, follows))
                }

                fn code_names(&self, id: ::everypath::NodeId) -> ::std::vec::Vec<&'static str> {
                    ::everypath::names_of_parts(&[
                        #((#words, #entered, #kind::code_names(&self.#fields, id)),)*
                    ])
                }
            }
        };
    })
}

fn parts_of(item: &ItemStruct) -> Result<Vec<Part>> {
    if !item.generics.params.is_empty() {
        return Err(Error::new(
            item.generics.span(),
            "`#[composite]` takes no type parameters: name the type of each component",
        ));
    }
    let Fields::Named(fields) = &item.fields else {
        return Err(Error::new(
            item.span(),
            "`#[composite]` needs named fields, one per component: `struct Station { application: Application, transport: Transport }`",
        ));
    };
    if fields.named.is_empty() {
        return Err(Error::new(item.span(), "`#[composite]` needs at least one component"));
    }
    let part = |field: &syn::Field| {
        let name = field.ident.clone().expect("a named field has a name");
        let variant = camel_case(&name);
        Part {
            ports: format_ident!("__{variant}Ports"),
            input: format_ident!("__{variant}In"),
            output: format_ident!("__{variant}Out"),
            outlet: format_ident!("__{variant}Outlet"),
            component: field.ty.clone(),
            field: name,
            variant,
            leaving: Vec::new(),
            is_entered: false,
        }
    };
    Ok(fields.named.iter().map(part).collect())
}

/// Routes the signals of each part along the wires. Returns the checks for the compiler.
fn join(wires: &[(End, End)], parts: &mut [Part]) -> Result<Vec<TokenStream>> {
    let mut taken = Vec::new();
    let mut checks = Vec::new();
    for (user, provider) in wires {
        for end in [user, provider] {
            let words = end.words();
            if taken.contains(&words) {
                return Err(Error::new(end.span(), format!("`{words}` is wired twice")));
            }
            taken.push(words);
        }
        let ends = (place(user, parts)?, place(provider, parts)?);
        let (from, to) = (camel_case(&user.port), camel_case(&provider.port));
        let (using, providing) = (&user.port, &provider.port);
        match ends {
            (Some(above), Some(below)) => {
                let at = |ports: &Ident, end: &End| Ident::new(&ports.to_string(), end.span());
                let ports = at(&parts[above].ports, user);
                let others = at(&parts[below].ports, provider);
                checks.push(quote_spanned! {user.span()=>
                    ::everypath::component::wire(#ports::#using(), #others::#providing());
                });
                connect(parts, above, &from, below, &to);
                connect(parts, below, &to, above, &from);
            }
            (Some(part), None) => checks.push(expose(parts, part, using, providing)),
            (None, Some(part)) => checks.push(expose(parts, part, providing, using)),
            (None, None) => {
                let words = "both ends of this wire are ports of the whole; name a part's";
                return Err(Error::new(user.span(), words));
            }
        }
    }
    Ok(checks)
}

/// Checks that every port has a wire.
fn all_wired(arguments: &Arguments, parts: &[Part]) -> Vec<TokenStream> {
    let ends = || arguments.wires.iter().flat_map(|(user, provider)| [user, provider]);
    let wired = |part: Option<&Ident>| -> Vec<String> {
        let of_part = ends().filter(|end| end.part.as_ref() == part);
        of_part.map(|end| end.port.unraw().to_string()).collect()
    };
    let check = |span: Span, ports: &Ident, wired: Vec<String>| {
        quote_spanned! {span=>
            ::everypath::component::all_wired(<#ports as ::everypath::component::Ports>::PORTS, &[#(#wired),*]);
        }
    };
    let own = check(arguments.ports.span(), &format_ident!("__Ports"), wired(None));
    let of_parts =
        parts.iter().map(|part| check(part.field.span(), &part.ports, wired(Some(&part.field))));
    of_parts.chain([own]).collect()
}

/// The part of an end, if it is not a port of the whole.
fn place(end: &End, parts: &[Part]) -> Result<Option<usize>> {
    let Some(name) = &end.part else { return Ok(None) };
    let place = parts.iter().position(|part| part.field == *name);
    let unknown = || {
        let known: Vec<_> = parts.iter().map(|part| format!("`{}`", part.field)).collect();
        let words =
            format!("there is no component `{name}`; the components are {}", known.join(", "));
        Error::new(name.span(), words)
    };
    place.map(Some).ok_or_else(unknown)
}

/// Connects a port of one part with a port of another.
fn connect(parts: &mut [Part], from: usize, out: &Ident, to: usize, into: &Ident) {
    let (variant, input) = (parts[to].variant.clone(), parts[to].input.clone());
    let output = parts[from].output.clone();
    parts[from].leaving.push(quote! {
        #output::#out(signal) => signals.push(Signal::#variant(#input::#into(signal)))
    });
}

/// Connects an outgoing port of a part with a port of the whole.
fn expose(parts: &mut [Part], part: usize, port: &Ident, own: &Ident) -> TokenStream {
    let part = &mut parts[part];
    let (variant, leaves) = (camel_case(port), camel_case(own));
    let output = &part.output;
    part.leaving.push(quote! {
        #output::#variant(signal) => whole.emit(__Out::#leaves(signal))
    });
    part.is_entered = true;
    let ports = &part.ports;
    quote_spanned! {port.span()=>
        ::everypath::component::expose(#ports::#port(), __Ports::#own());
    }
}

/// Connects each incoming port of the whole with a part.
fn coming(wires: &[(End, End)], parts: &[Part], timer: &Ident) -> Vec<TokenStream> {
    let exposed = wires.iter().filter_map(|(user, provider)| match (&user.part, &provider.part) {
        (Some(part), None) => Some((&provider.port, part, &user.port)),
        (None, Some(part)) => Some((&user.port, part, &provider.port)),
        _ => None,
    });
    let arm = |(own, name, port): (&Ident, &Ident, &Ident)| {
        let part = parts.iter().find(|part| part.field == *name).expect("it was looked up before");
        let Part { field, variant, input, outlet, .. } = part;
        let (enters, into) = (camel_case(own), camel_case(port));
        quote! {
            __In::#enters(signal) => {
                let input = ::everypath::component::ComponentInput::Signal(#input::#into(signal));
                let outlet = #outlet(&mut signals);
                let effects = &mut ::everypath::PartEffects::new(effects, #timer::#variant, outlet);
                ::everypath::component::Component::handle(&self.#field, id, &mut state.#field, input, effects);
            }
        }
    };
    exposed.map(arm).collect()
}
