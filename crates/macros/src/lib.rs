//! The attributes of Everypath. `everypath` (and `everypath-model`) re-export them; no other crate
//! needs to depend on this one.
//!
//! They expand to paths that start with `::everypath`: a crate that uses `everypath-model` without
//! the facade writes `extern crate everypath_model as everypath;` at its root.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod compilation;
mod composite;
mod data;
mod handlers;
mod known;
mod ports;
mod sources;
mod subject;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Error, Fields, Ident, Item, ItemStruct, Result, ext::IdentExt, parse_macro_input,
    spanned::Spanned,
};

/// Derives the traits of a state, message, timer or command: `Clone`, `Debug`, equality, order,
/// hash and serialisation.
///
/// `#[data(display)]` prints values by their `Display`, which is then yours to write: in runs, charts and tables a
/// message is `D0 #3` instead of `Data { bit: 0, number: 3 }`. Two values that differ must print differently.
///
/// For a type without all of these (a foreign type without an order), derive by hand what
/// the trait `Data` requires.
#[proc_macro_attribute]
pub fn data(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as Item);
    data::expand(arguments.into(), item).unwrap_or_else(Error::into_compile_error).into()
}

/// Makes one protocol of several roles: a struct with a field per role, each a protocol with the
/// same message type.
///
/// For `struct Arq { sender: …, receiver: … }` it generates the enums `ArqRole`, `ArqState`,
/// `ArqTimer` and `ArqCommand` with a variant per role, an accessor per role on `ArqState`
/// (`state.sender()` is `Some` at a sender), and the implementation of `Protocol`. The user only
/// writes which node has which role: `fn role_of(&self, me: NodeId) -> ArqRole`.
///
/// Each call of `Protocol` goes to the node's role. Names of a role's code begin with the role, as
/// in `sender/timer:Expire`.
#[proc_macro_attribute]
pub fn roles(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(refusal) = refusal(&arguments, "`#[roles]` takes no arguments") {
        return refusal;
    }
    let expanded = match parse_macro_input!(item as Item) {
        Item::Struct(item) => expand_roles(&item),
        other => {
            Err(Error::new(other.span(), "put `#[roles]` above a struct with one field per role"))
        }
    };
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// Writes the functions `code` and `code_names` of an `impl Protocol for …`, `impl Native for …` or
/// `impl Component for …`: which code handles what, so that a change of the protocol can be
/// recognised.
///
/// If a handler ends in a `match` of its message, timer or command, each arm is a piece of code.
/// The print of a piece is a digest of its tokens and, transitively, of every item in the crate
/// whose name it mentions; of all implementations of traits; of the compiler's options, such as
/// features; and of the compiled packages that the crate depends on. Comments do not count.
///
/// So a print may change although the code does the same. If the code does something else, the
/// print changes, provided that handlers are functions of their arguments. Code that cannot be
/// inspected has no print, and counts as changed with every change of the program: if the package
/// has a build script, links native libraries, uses a macro of a package other than Everypath,
/// serde and the standard library, or `include!`, `env!`, `line!` and the like; or if the `impl`
/// has type parameters.
#[proc_macro_attribute]
pub fn handlers(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(refusal) = refusal(&arguments, "`#[handlers]` takes no arguments") {
        return refusal;
    }
    let expanded = match parse_macro_input!(item as Item) {
        Item::Impl(block) => handlers::expand(block),
        other => Err(Error::new(other.span(), handlers::WHERE)),
    };
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// Declares the ports of a component: a struct with a field for each, of type `Provides<Contract>` or `Uses<Contract>`.
///
/// For `struct SenderPorts { above: Provides<Stream>, below: Uses<Link<Frame>> }` it generates the
/// enums `SenderIn` and `SenderOut` with a variant per port (`Above`, `Below`): incoming and
/// outgoing signals. A component names them: `type Ports = SenderPorts`. If a port uses a `Link`,
/// `send` goes through it.
#[proc_macro_attribute]
pub fn ports(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(refusal) = refusal(&arguments, "`#[ports]` takes no arguments") {
        return refusal;
    }
    let expanded = match parse_macro_input!(item as Item) {
        Item::Struct(item) => ports::expand(&item),
        other => {
            Err(Error::new(other.span(), "put `#[ports]` above a struct with one field per port"))
        }
    };
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// Makes one component of several: a struct with one field per component, and the wires between their ports.
///
/// ```text
/// #[composite(
///     ports = Network<Frame>,
///     source.below => sender.above,
///     sender.below => network,
/// )]
/// struct SendingEnd {
///     source: Source,
///     sender: Sender,
/// }
/// ```
///
/// `ports` are those of the whole. A wire leads from a port that uses a contract to one that
/// provides the same contract. A name alone is a port of the whole: here, `below` of `sender`
/// becomes `network` of the whole. Every port has one wire.
///
/// It generates the struct `SendingEndState`, with a field per component, and the enums `SendingEndTimer` and `SendingEndCommand` with a
/// variant per component. Components start in the order of the fields.
#[proc_macro_attribute]
pub fn composite(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = parse_macro_input!(arguments as composite::Arguments);
    let expanded = match parse_macro_input!(item as Item) {
        Item::Struct(item) => composite::expand(&arguments, &item),
        other => Err(Error::new(
            other.span(),
            "put `#[composite]` above a struct with one field per component",
        )),
    };
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// Makes a subject of a module: structs are classes of objects, and their methods run on every machine of
/// `everypath-heap`, one state at a time or many at once.
///
/// ```text
/// #[subject]
/// pub mod stack {
///     struct Stack { top: Ref<Node> }
///     struct Node { value: Int, next: Ref<Node> }
///
///     impl Stack {
///         #[call(value in 1..=n)]
///         fn push(self, value: Int) {
///             self.top = Node { value, next: self.top };
///         }
///     }
/// }
/// ```
///
/// The first struct is the class of the root object. Types are `Int`, `Bool`, `Ref<Class>`, `Ref<Any>`,
/// `Array<Int>`, `Array<Bool>` and `Array<Ref<Class>>`. Methods begin with `self` and consist of `let`, assignments,
/// `if`, `while`, `loop`, `break`, `continue`, `return`, `+ - * / %`, comparisons, `&& || !`, fields, elements, calls of
/// methods, `Class { field: value }` (other fields are zero, false and null), `Array::<Int>::new(length)`, `array.len()`,
/// `null`, `x.is::<Class>()`, `x.cast::<Class>()`, `fail("…")` (the run ends here) and `throw("…")` (the call ends, what
/// it wrote stays). Anything else is an error that names it.
///
/// `#[call(value in 1..=n, if guard)]` marks the calls of the exploration, with the ranges of their arguments for a
/// bound `n` and a guard; `#[invariant]` what must hold in every state; `#[start]` what builds the initial state.
///
/// The module then has a struct `Code` and a function `subject`. `#[subject(path = some::path)]` says where
/// `everypath_heap` is, if not at the root.
#[proc_macro_attribute]
pub fn subject(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = parse_macro_input!(arguments as subject::Arguments);
    let expanded = match parse_macro_input!(item as Item) {
        Item::Mod(module) => subject::expand(&arguments, &module),
        other => Err(Error::new(other.span(), "put `#[subject]` above a module")),
    };
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// The error for arguments of an attribute that takes none.
fn refusal(arguments: &TokenStream, words: &str) -> Option<TokenStream> {
    let error = || Error::new(proc_macro2::Span::call_site(), words).to_compile_error().into();
    (!arguments.is_empty()).then(error)
}

struct Role {
    field: Ident,
    variant: Ident,
    protocol: syn::Type,
}

fn roles_of(item: &ItemStruct) -> Result<Vec<Role>> {
    if !item.generics.params.is_empty() {
        return Err(Error::new(
            item.generics.span(),
            "`#[roles]` takes no type parameters: name the protocol of each role",
        ));
    }
    let Fields::Named(fields) = &item.fields else {
        return Err(Error::new(
            item.span(),
            "`#[roles]` needs named fields, one per role: `struct Arq { sender: Sender, receiver: Receiver }`",
        ));
    };
    if fields.named.len() < 2 {
        return Err(Error::new(
            item.span(),
            "`#[roles]` needs at least two roles; one role is already a protocol",
        ));
    }
    Ok(fields
        .named
        .iter()
        .map(|field| {
            let name = field.ident.clone().expect("a named field has a name");
            Role { variant: camel_case(&name), field: name, protocol: field.ty.clone() }
        })
        .collect())
}

fn camel_case(name: &Ident) -> Ident {
    let camel: String = name
        .unraw()
        .to_string()
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect())
                .unwrap_or_default()
        })
        .collect::<Vec<String>>()
        .concat();
    Ident::new(&camel, name.span())
}

/// An enum with a variant for each part of a whole, which holds that part's state, timer or
/// command.
fn one_of(
    visibility: &syn::Visibility,
    name: &Ident,
    held: &str,
    kind: &Tokens,
    variants: &[&Ident],
    parts: &[&syn::Type],
) -> Tokens {
    let doc = format!("A {} of a part.", held.to_lowercase());
    let held = Ident::new(held, name.span());
    // Only timers need an order.
    let order = (held == "Timer").then(|| quote! { PartialOrd, Ord, });
    quote! {
        #[doc = #doc]
        #[derive(
            Clone, PartialEq, Eq, #order Hash,
            ::everypath::serde::Serialize, ::everypath::serde::Deserialize,
        )]
        #[serde(crate = "::everypath::serde")]
        #[allow(missing_docs)]
        #visibility enum #name {
            #(#variants(<#parts as #kind>::#held),)*
        }
    }
}

/// It prints without its part, since its owner is known.
fn prints_as_its_content(name: &Ident, variants: &[&Ident]) -> Tokens {
    quote! {
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    #(Self::#variants(inner) => ::std::fmt::Debug::fmt(inner, f),)*
                }
            }
        }
    }
}

fn expand_roles(item: &ItemStruct) -> Result<Tokens> {
    let roles = roles_of(item)?;
    let name = &item.ident;
    let visibility = &item.vis;
    let (role_enum, state_enum, timer_enum, command_enum) = (
        format_ident!("{name}Role"),
        format_ident!("{name}State"),
        format_ident!("{name}Timer"),
        format_ident!("{name}Command"),
    );
    let variants: Vec<_> = roles.iter().map(|role| &role.variant).collect();
    let fields: Vec<_> = roles.iter().map(|role| &role.field).collect();
    let labels: Vec<_> =
        fields.iter().map(|field| field.unraw().to_string().replace('_', " ")).collect();
    let parts: Vec<_> = fields.iter().map(|field| field.unraw().to_string()).collect();
    let protocols: Vec<_> = roles.iter().map(|role| &role.protocol).collect();
    let first = protocols[0];
    // As a condition it is checked once, at the field; otherwise every handler would report it. If
    // several roles have one type, it would be a condition on itself, which the compiler cannot
    // resolve.
    let text = |protocol: &syn::Type| protocol.to_token_stream().to_string();
    let others = protocols.iter().filter(|protocol| text(protocol) != text(first));
    let same_message = others.map(|protocol| {
        quote_spanned! {protocol.span()=>
            #protocol: ::everypath::Protocol<Message = <#first as ::everypath::Protocol>::Message>
        }
    });
    // Spanned so that the compiler points at the struct if the method is missing.
    let role_of = quote_spanned! {name.span()=> #name::role_of(self, me) };
    let kind = quote! { ::everypath::Protocol };
    let one_of =
        |name: &Ident, part: &str| one_of(visibility, name, part, &kind, &variants, &protocols);
    let states = one_of(&state_enum, "State");
    let timers = one_of(&timer_enum, "Timer");
    let commands = one_of(&command_enum, "Command");
    let timers_print = prints_as_its_content(&timer_enum, &variants);
    let commands_print = prints_as_its_content(&command_enum, &variants);
    // The input as a role receives it.
    let to_role: Vec<_> = variants
        .iter()
        .zip(&protocols)
        .map(|(variant, protocol)| {
            quote! {
                input.of_role::<#protocol>(
                    |timer| match timer {
                        #timer_enum::#variant(timer) => ::core::option::Option::Some(timer),
                        _ => ::core::option::Option::None,
                    },
                    |command| match command {
                        #command_enum::#variant(command) => ::core::option::Option::Some(command),
                        _ => ::core::option::Option::None,
                    },
                )
            }
        })
        .collect();
    Ok(quote! {
        #item

        /// The roles that a node can play.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        #visibility enum #role_enum { #(#variants,)* }

        #[derive(Debug)]
        #states
        #timers
        #timers_print
        #commands
        #commands_print

        impl #state_enum {
            #(
                #[doc = concat!("The state, if the node is a ", #labels, ".")]
                #[must_use]
                #visibility fn #fields(&self) -> Option<&<#protocols as ::everypath::Protocol>::State> {
                    match self {
                        Self::#variants(state) => Some(state),
                        #[allow(unreachable_patterns)]
                        _ => None,
                    }
                }
            )*
        }

        impl ::everypath::Protocol for #name
        where
            #(#same_message,)*
        {
            type State = #state_enum;
            type Message = <#first as ::everypath::Protocol>::Message;
            type Timer = #timer_enum;
            type Command = #command_enum;

            const NATIVE: bool = #(<#protocols as ::everypath::Protocol>::NATIVE)||*;

            fn start(&self, node: &mut ::everypath::Start<'_, Self>) -> Self::State {
                let (id, (), mut effects) = node.parts();
                self.bring_up(id, ::core::option::Option::None, &mut effects)
            }

            fn restart(&self, node: &mut ::everypath::Start<'_, Self>, before: &Self::State) -> Self::State {
                let (id, (), mut effects) = node.parts();
                self.bring_up(id, ::core::option::Option::Some(before), &mut effects)
            }

            fn on_message(
                &self,
                node: &mut ::everypath::Node<'_, Self>,
                from: ::everypath::NodeId,
                message: &Self::Message,
            ) {
                let (id, state, mut effects) = node.parts();
                self.handle(id, state, ::everypath::Input::Message { from, message }, &mut effects);
            }

            fn on_undeliverable(
                &self,
                node: &mut ::everypath::Node<'_, Self>,
                to: ::everypath::NodeId,
                message: &Self::Message,
            ) {
                let (id, state, mut effects) = node.parts();
                self.handle(id, state, ::everypath::Input::Undeliverable { to, message }, &mut effects);
            }

            fn on_timer(&self, node: &mut ::everypath::Node<'_, Self>, timer: &Self::Timer) {
                let (id, state, mut effects) = node.parts();
                self.handle(id, state, ::everypath::Input::Timer(timer), &mut effects);
            }

            fn on_command(&self, node: &mut ::everypath::Node<'_, Self>, command: &Self::Command) {
                let (id, state, mut effects) = node.parts();
                self.handle(id, state, ::everypath::Input::Command(command), &mut effects);
            }

            fn commands(&self, me: ::everypath::NodeId, state: &Self::State) -> Vec<Self::Command> {
                match state {
                    #(#state_enum::#variants(state) =>
                        self.#fields.commands(me, state).into_iter().map(#command_enum::#variants).collect(),)*
                }
            }

            #[inline]
            fn bring_up<F: ::everypath::Effects<Self>>(
                &self,
                me: ::everypath::NodeId,
                before: ::core::option::Option<&Self::State>,
                effects: &mut F,
            ) -> Self::State {
                match before {
                    ::core::option::Option::None => match #role_of {
                        #(#role_enum::#variants => {
                            let effects = &mut ::everypath::PartEffects::new(effects, #timer_enum::#variants, ::everypath::Straight::<Self>::new());
                            #state_enum::#variants(self.#fields.bring_up(me, ::core::option::Option::None, effects))
                        })*
                    },
                    #(::core::option::Option::Some(#state_enum::#variants(before)) => {
                        let effects = &mut ::everypath::PartEffects::new(effects, #timer_enum::#variants, ::everypath::Straight::<Self>::new());
                        #state_enum::#variants(self.#fields.bring_up(me, ::core::option::Option::Some(before), effects))
                    })*
                }
            }

            #[inline]
            fn handle<F: ::everypath::Effects<Self>>(
                &self,
                me: ::everypath::NodeId,
                state: &mut Self::State,
                input: ::everypath::Input<'_, Self>,
                effects: &mut F,
            ) {
                match state {
                    #(#state_enum::#variants(state) => {
                        let ::core::option::Option::Some(input) = #to_role else {
                            let ::everypath::Input::Command(command) = input else {
                                unreachable!("a node has only timers of its own role");
                            };
                            let role = ::core::stringify!(#variants);
                            panic!("{command:?} was given to a node of another role, in state {role}({state:?})");
                        };
                        let effects = &mut ::everypath::PartEffects::new(effects, #timer_enum::#variants, ::everypath::Straight::<Self>::new());
                        self.#fields.handle(me, state, input, effects);
                    })*
                }
            }

            fn code(
                &self,
                me: ::everypath::NodeId,
                trigger: ::everypath::Trigger<'_, Self>,
            ) -> ::core::option::Option<::everypath::Code> {
                match #role_of {
                    #(#role_enum::#variants => {
                        let trigger = match trigger {
                            ::everypath::Trigger::Start => ::everypath::Trigger::Start,
                            ::everypath::Trigger::Restart => ::everypath::Trigger::Restart,
                            ::everypath::Trigger::On(input) => ::everypath::Trigger::On(#to_role?),
                        };
                        ::core::option::Option::Some(self.#fields.code(me, trigger)?.within(#parts))
                    })*
                }
            }

            fn code_names(&self, me: ::everypath::NodeId) -> Vec<&'static str> {
                match #role_of {
                    #(#role_enum::#variants => ::everypath::names_within(#parts, self.#fields.code_names(me)),)*
                }
            }

            fn role(&self, me: ::everypath::NodeId) -> &'static str {
                match #role_of {
                    #(#role_enum::#variants => #labels,)*
                }
            }
        }
    })
}
