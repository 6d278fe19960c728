//! The attributes of Everypath. They are re-exported by `everypath` (and by `everypath-model`);
//! nobody needs to depend on this crate directly.
//!
//! They expand to paths that start with `::everypath`: a crate that uses `everypath-model` without
//! the facade writes `extern crate everypath_model as everypath;` at its root.

mod compilation;
mod handlers;
mod known;
mod sources;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Error, Fields, Ident, Item, ItemStruct, Result, ext::IdentExt, parse_macro_input,
    spanned::Spanned,
};

/// Derives all that a state, message, timer or command needs: `Clone`, `Debug`, equality, order,
/// hash and serialisation.
///
/// A type that cannot have all of these (a float, a foreign type without an order) derives what
/// the trait `Data` asks for by hand instead.
#[proc_macro_attribute]
pub fn data(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let words = "`#[data]` takes no arguments: write it alone above a struct or an enum";
    if let Some(refusal) = refusal(&arguments, words) {
        return refusal;
    }
    let item = parse_macro_input!(item as Item);
    match item {
        Item::Struct(_) | Item::Enum(_) => quote! {
            #[derive(
                Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
                ::everypath::serde::Serialize, ::everypath::serde::Deserialize,
            )]
            #[serde(crate = "::everypath::serde")]
            #item
        }
        .into(),
        other => Error::new(other.span(), "`#[data]` goes above a struct or an enum")
            .to_compile_error()
            .into(),
    }
}

/// Makes one protocol of several roles: a struct with one field per role, each field a protocol
/// with the same message type.
///
/// For `struct Arq { sender: …, receiver: … }` it generates the enums `ArqRole`, `ArqState`,
/// `ArqTimer` and `ArqCommand` with a variant per role, an accessor per role on `ArqState`
/// (`state.sender()` is `Some` at a sender), and the implementation of `Protocol`. The one thing
/// left to write is who plays what: `fn role_of(&self, me: NodeId) -> ArqRole`.
///
/// Whatever `Protocol` asks of the whole is asked of the node's role. What the code of a role is called has its name in front,
/// such as `sender/timer:Expire`. The whole has a `configuration` if all roles have.
#[proc_macro_attribute]
pub fn roles(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(refusal) = refusal(&arguments, "`#[roles]` takes no arguments") {
        return refusal;
    }
    let expanded = match parse_macro_input!(item as Item) {
        Item::Struct(item) => expand_roles(&item),
        other => {
            Err(Error::new(other.span(), "`#[roles]` goes above a struct with one field per role"))
        }
    };
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

/// Says which code handles what, so that it is found out what has changed between two versions of a protocol: it
/// writes the functions `code` and `code_names` of an `impl Protocol for …` or `impl Component for …`.
///
/// A handler that ends in a `match` of its message, timer or command is told apart by its arms. The print of a piece
/// of code is a digest of its tokens and of everything in the crate that has a name which it mentions, and so on; of all
/// implementations of traits; of what the compiler was told, such as features; and of the compiled packages that the crate
/// depends on. Comments do not count.
///
/// So a print may change although the code does the same. It does not stay the same if the code does something else, as long
/// as handlers are functions of what they are given. Code has no print, and counts as changed with every change of the program, if
/// not all of it can be looked into: if the package has a build script, if native libraries are linked, if it uses a macro of
/// another package than Everypath, serde and the standard library, or `include!`, `env!`, `line!` and their like; or if
/// the `impl` has type parameters.
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

/// What is said of arguments where there are none to give.
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
            "`#[roles]` needs at least two roles; a single one is a protocol already",
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
    // As a condition it is checked once, at the field: else every handler would report it. Of one
    // type in several roles it would be a condition on itself, which the compiler cannot resolve.
    let text = |protocol: &syn::Type| protocol.to_token_stream().to_string();
    let others = protocols.iter().filter(|protocol| text(protocol) != text(first));
    let same_message = others.map(|protocol| {
        quote_spanned! {protocol.span()=>
            #protocol: ::everypath::Protocol<Message = <#first as ::everypath::Protocol>::Message>
        }
    });
    // Spanned so that the compiler points at the struct if the method is missing.
    let role_of = quote_spanned! {name.span()=> #name::role_of(self, me) };
    let one_of = |enumeration: &Ident, part: Ident, doc: &str| {
        // Only timers must have an order, so a role's other types need none.
        let order = (part == "Timer").then(|| quote! { PartialOrd, Ord, });
        quote! {
            #[doc = #doc]
            #[derive(
                Clone, PartialEq, Eq, #order Hash,
                ::everypath::serde::Serialize, ::everypath::serde::Deserialize,
            )]
            #[serde(crate = "::everypath::serde")]
            #[allow(missing_docs)]
            #visibility enum #enumeration {
                #(#variants(<#protocols as ::everypath::Protocol>::#part),)*
            }
        }
    };
    // The node tells the role, so a timer or command prints without it.
    let prints_as_its_content = |enumeration: &Ident| {
        quote! {
            impl ::std::fmt::Debug for #enumeration {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    match self {
                        #(Self::#variants(inner) => ::std::fmt::Debug::fmt(inner, f),)*
                    }
                }
            }
        }
    };
    let states = one_of(&state_enum, format_ident!("State"), "The state of a node, by its role.");
    let timers = one_of(&timer_enum, format_ident!("Timer"), "A timer of a node, by its role.");
    let timers_print = prints_as_its_content(&timer_enum);
    let commands =
        one_of(&command_enum, format_ident!("Command"), "A command to a node, by its role.");
    let commands_print = prints_as_its_content(&command_enum);
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

            fn start(&self, node: &mut ::everypath::Start<'_, Self>) -> Self::State {
                let (me, nothing, fx) = node.parts();
                match #role_of {
                    #(#role_enum::#variants => {
                        let fx = &mut ::everypath::RoleEffects::new(fx, #timer_enum::#variants);
                        let node = &mut ::everypath::Node::new(me, nothing, fx);
                        #state_enum::#variants(self.#fields.start(node))
                    })*
                }
            }

            fn restart(&self, node: &mut ::everypath::Start<'_, Self>, before: &Self::State) -> Self::State {
                let (me, nothing, fx) = node.parts();
                match before {
                    #(#state_enum::#variants(before) => {
                        let fx = &mut ::everypath::RoleEffects::new(fx, #timer_enum::#variants);
                        let node = &mut ::everypath::Node::new(me, nothing, fx);
                        #state_enum::#variants(self.#fields.restart(node, before))
                    })*
                }
            }

            fn on_message(
                &self,
                node: &mut ::everypath::Node<'_, Self>,
                from: ::everypath::NodeId,
                message: &Self::Message,
            ) {
                let (me, state, fx) = node.parts();
                match state {
                    #(#state_enum::#variants(state) => {
                        let fx = &mut ::everypath::RoleEffects::new(fx, #timer_enum::#variants);
                        self.#fields.on_message(&mut ::everypath::Node::new(me, state, fx), from, message);
                    })*
                }
            }

            fn on_undeliverable(
                &self,
                node: &mut ::everypath::Node<'_, Self>,
                to: ::everypath::NodeId,
                message: &Self::Message,
            ) {
                let (me, state, fx) = node.parts();
                match state {
                    #(#state_enum::#variants(state) => {
                        let fx = &mut ::everypath::RoleEffects::new(fx, #timer_enum::#variants);
                        self.#fields.on_undeliverable(&mut ::everypath::Node::new(me, state, fx), to, message);
                    })*
                }
            }

            fn on_timer(&self, node: &mut ::everypath::Node<'_, Self>, timer: &Self::Timer) {
                let (me, state, fx) = node.parts();
                match (state, timer) {
                    #((#state_enum::#variants(state), #timer_enum::#variants(timer)) => {
                        let fx = &mut ::everypath::RoleEffects::new(fx, #timer_enum::#variants);
                        self.#fields.on_timer(&mut ::everypath::Node::new(me, state, fx), timer);
                    })*
                    _ => unreachable!("a node's timers are of its own role"),
                }
            }

            fn on_command(&self, node: &mut ::everypath::Node<'_, Self>, command: &Self::Command) {
                let (me, state, fx) = node.parts();
                match (state, command) {
                    #((#state_enum::#variants(state), #command_enum::#variants(command)) => {
                        let fx = &mut ::everypath::RoleEffects::new(fx, #timer_enum::#variants);
                        self.#fields.on_command(&mut ::everypath::Node::new(me, state, fx), command);
                    })*
                    (state, command) => panic!("{command:?} was given to a node of another role, in state {state:?}"),
                }
            }

            fn code_at(
                &self,
                me: ::everypath::NodeId,
                trigger: ::everypath::Trigger<'_, Self>,
            ) -> ::core::option::Option<::everypath::Code> {
                match #role_of {
                    #(#role_enum::#variants => {
                        let trigger = trigger.of_role::<#protocols>(
                            |timer| match timer {
                                #timer_enum::#variants(timer) => ::core::option::Option::Some(timer),
                                _ => ::core::option::Option::None,
                            },
                            |command| match command {
                                #command_enum::#variants(command) => ::core::option::Option::Some(command),
                                _ => ::core::option::Option::None,
                            },
                        );
                        ::core::option::Option::Some(self.#fields.code_at(me, trigger?)?.within(#parts))
                    })*
                }
            }

            fn code_names(&self, me: ::everypath::NodeId) -> Vec<&'static str> {
                match #role_of {
                    #(#role_enum::#variants => ::everypath::names_within(#parts, self.#fields.code_names(me)),)*
                }
            }

            fn configuration(&self) -> ::core::option::Option<::std::string::String> {
                let parts = [#((#parts, self.#fields.configuration()?),)*];
                ::core::option::Option::Some(::std::format!("{parts:?}"))
            }

            fn commands(&self, me: ::everypath::NodeId, state: &Self::State) -> Vec<Self::Command> {
                match state {
                    #(#state_enum::#variants(state) =>
                        self.#fields.commands(me, state).into_iter().map(#command_enum::#variants).collect(),)*
                }
            }

            fn role(&self, me: ::everypath::NodeId) -> &str {
                match #role_of {
                    #(#role_enum::#variants => #labels,)*
                }
            }

            fn message_bytes(&self, me: ::everypath::NodeId, message: &Self::Message) -> usize {
                match #role_of {
                    #(#role_enum::#variants => self.#fields.message_bytes(me, message),)*
                }
            }
        }
    })
}
