//! The types of subjects, and the declarations from which they are read.

use proc_macro2::{Span, TokenStream as Tokens};
use quote::quote;
use syn::{Error, GenericArgument, Ident, PathArguments, Result, Type, spanned::Spanned};

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Int,
    Bool,
    /// A reference to an object of a class, by its place.
    Ref(usize),
    /// A reference to an object of any class.
    Any,
    Array(Box<Ty>),
    /// `null` itself.
    Null,
    /// Of a method that returns nothing.
    Unit,
    /// Of `return`, `break` and `continue`.
    Never,
}

impl Ty {
    pub(super) fn is_reference(&self) -> bool {
        matches!(self, Self::Ref(_) | Self::Any | Self::Array(_) | Self::Null)
    }

    /// Whether a value of this type may be where another is expected.
    pub(super) fn fits(&self, expected: &Self) -> bool {
        self == expected
            || *self == Self::Never
            || *self == Self::Null && expected.is_reference()
            || *expected == Self::Null && self.is_reference()
            || *expected == Self::Any && self.is_reference()
    }

    /// Whether two values may be compared.
    pub(super) fn compares(&self, other: &Self) -> bool {
        self.fits(other) || other.fits(self)
    }

    pub(super) fn kind(&self, path: &Tokens) -> Tokens {
        match self {
            Self::Int => quote! { #path::Kind::Int },
            Self::Bool => quote! { #path::Kind::Bool },
            _ => quote! { #path::Kind::Reference },
        }
    }
}

/// A class that is declared as a struct.
pub(super) struct Class {
    pub(super) name: Ident,
    pub(super) fields: Vec<(Ident, Ty)>,
}

/// All classes; those of arrays follow the declared ones.
#[derive(Default)]
pub(super) struct Classes {
    pub(super) declared: Vec<Class>,
    pub(super) arrays: Vec<Ty>,
}

const TYPES: &str = "a type of a subject is `Int`, `Bool`, `Ref<Class>`, `Ref<Any>`, `Array<Int>`, `Array<Bool>` or `Array<Ref<Class>>`";

impl Classes {
    pub(super) fn class(&self, name: &Ident) -> Option<usize> {
        self.declared.iter().position(|class| class.name == *name)
    }

    /// The place of a class of arrays.
    pub(super) fn array(&mut self, element: &Ty) -> usize {
        let known = self.arrays.iter().position(|array| array == element);
        self.declared.len()
            + known.unwrap_or_else(|| {
                self.arrays.push(element.clone());
                self.arrays.len() - 1
            })
    }

    pub(super) fn field(&self, class: usize, name: &Ident) -> Result<(usize, Ty)> {
        let class = &self.declared[class];
        let at = class.fields.iter().position(|(field, _)| field == name);
        at.map(|at| (at, class.fields[at].1.clone())).ok_or_else(|| {
            let known: Vec<String> =
                class.fields.iter().map(|(field, _)| format!("`{field}`")).collect();
            let (class, known) = (&class.name, known.join(", "));
            Error::new(name.span(), format!("`{class}` has no field `{name}`; it has {known}"))
        })
    }

    pub(super) fn words(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "`Int`".to_owned(),
            Ty::Bool => "`Bool`".to_owned(),
            Ty::Ref(class) => format!("`Ref<{}>`", self.declared[*class].name),
            Ty::Any => "`Ref<Any>`".to_owned(),
            Ty::Array(element) => {
                format!("`Array<{}>`", self.words(element).trim_matches('`'))
            }
            Ty::Null => "`null`".to_owned(),
            Ty::Unit => "nothing".to_owned(),
            Ty::Never => "no value".to_owned(),
        }
    }

    pub(super) fn expect(&self, ty: &Ty, expected: &Ty, span: Span) -> Result<()> {
        if ty.fits(expected) {
            return Ok(());
        }
        let words = format!("this is {}, but {} is expected", self.words(ty), self.words(expected));
        Err(Error::new(span, words))
    }

    /// Reads a type.
    pub(super) fn parse(&mut self, ty: &Type) -> Result<Ty> {
        let parsed = self.parse_element(ty)?;
        if let Ty::Array(element) = &parsed {
            self.array(element);
        }
        Ok(parsed)
    }

    fn parse_element(&mut self, ty: &Type) -> Result<Ty> {
        let unknown = || Error::new(ty.span(), TYPES);
        let Type::Path(path) = ty else { return Err(unknown()) };
        let segment = path.path.segments.last().ok_or_else(unknown)?;
        if path.path.segments.len() > 1 {
            return Err(unknown());
        }
        let inner = match &segment.arguments {
            PathArguments::None => None,
            PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(GenericArgument::Type(inner)) if arguments.args.len() == 1 => Some(inner),
                _ => return Err(unknown()),
            },
            PathArguments::Parenthesized(_) => return Err(unknown()),
            #[allow(unreachable_patterns)]
            _ => return Err(unknown()),
        };
        match (segment.ident.to_string().as_str(), inner) {
            ("Int", None) => Ok(Ty::Int),
            ("Bool", None) => Ok(Ty::Bool),
            ("Array", Some(inner)) => Ok(Ty::Array(Box::new(self.parse_element(inner)?))),
            ("Ref", Some(Type::Path(inner))) => {
                let name = inner.path.get_ident().ok_or_else(unknown)?;
                if name == "Any" {
                    return Ok(Ty::Any);
                }
                let class = self.class(name).ok_or_else(|| {
                    Error::new(name.span(), format!("there is no class `{name}` in this subject"))
                })?;
                Ok(Ty::Ref(class))
            }
            _ => Err(unknown()),
        }
    }
}
