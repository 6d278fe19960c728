//! The variants of an enum, as serde knows them.

use std::fmt;

use everypath_model::serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Visitor, value::Error as Refused},
    forward_to_deserialize_any,
    ser::Impossible,
};

/// The variants of an enum; empty if the type is not an enum.
pub(crate) fn variants<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut found: &'static [&'static str] = &[];
    // It always fails: there is nothing to read.
    let _ = T::deserialize(Lister(&mut found));
    found
}

/// The variant of a value, if its type is an enum.
pub(crate) fn variant_of(value: &impl Serialize) -> Option<&'static str> {
    let mut found = None;
    let _ = value.serialize(Namer(&mut found));
    found
}

/// A deserializer that notes the variants of the requested enum.
struct Lister<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Lister<'_> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(de::Error::custom("not an enum"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        *self.0 = variants;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A serializer that notes the variant of a value.
struct Namer<'a>(&'a mut Option<&'static str>);

impl Namer<'_> {
    fn variant<T>(self, name: &'static str) -> Result<T, fmt::Error> {
        *self.0 = Some(name);
        Err(fmt::Error)
    }
}

/// Values that are not enums.
macro_rules! refuse {
    ($($method:ident($($value:ty),*) -> $made:ty),* $(,)?) => {
        $(fn $method(self, $(_: $value),*) -> Result<$made, fmt::Error> {
            Err(fmt::Error)
        })*
    };
}

type Nothing = Impossible<(), fmt::Error>;

impl Serializer for Namer<'_> {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Nothing;
    type SerializeTuple = Nothing;
    type SerializeTupleStruct = Nothing;
    type SerializeTupleVariant = Nothing;
    type SerializeMap = Nothing;
    type SerializeStruct = Nothing;
    type SerializeStructVariant = Nothing;

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), fmt::Error> {
        self.variant(variant)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Result<(), fmt::Error> {
        self.variant(variant)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Nothing, fmt::Error> {
        self.variant(variant)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Nothing, fmt::Error> {
        self.variant(variant)
    }

    refuse! {
        serialize_bool(bool) -> (), serialize_i8(i8) -> (), serialize_i16(i16) -> (),
        serialize_i32(i32) -> (), serialize_i64(i64) -> (), serialize_u8(u8) -> (),
        serialize_u16(u16) -> (), serialize_u32(u32) -> (), serialize_u64(u64) -> (),
        serialize_f32(f32) -> (), serialize_f64(f64) -> (), serialize_char(char) -> (),
        serialize_str(&str) -> (), serialize_bytes(&[u8]) -> (), serialize_none() -> (),
        serialize_unit() -> (), serialize_unit_struct(&'static str) -> (),
        serialize_seq(Option<usize>) -> Nothing, serialize_tuple(usize) -> Nothing,
        serialize_tuple_struct(&'static str, usize) -> Nothing,
        serialize_map(Option<usize>) -> Nothing, serialize_struct(&'static str, usize) -> Nothing,
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), fmt::Error> {
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    enum Message {
        Hello,
        Number(u32),
        Pair(u32, bool),
        Named { text: String },
    }

    #[test]
    fn enums_know_their_variants() {
        let all = [
            Message::Hello,
            Message::Number(1),
            Message::Pair(2, true),
            Message::Named { text: String::new() },
        ];
        let named: Vec<_> = all.iter().filter_map(variant_of).collect();
        assert_eq!(named, variants::<Message>());
        assert_eq!(named, ["Hello", "Number", "Pair", "Named"]);
    }

    #[test]
    fn what_is_no_enum_has_no_variants() {
        #[derive(Serialize, Deserialize)]
        struct Wrapped(Message);
        assert!(variants::<u32>().is_empty() && variants::<(String, Vec<u8>)>().is_empty());
        assert!(variants::<Wrapped>().is_empty());
        assert_eq!(variant_of(&Wrapped(Message::Hello)), None);
        assert_eq!(variant_of(&"text"), None);
    }
}
