//! A macro that writes setters, for structs that will grow.

/// Writes a setter for each field: `LinkModel::default().delay(…).loss(0.1)`.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($of:ty { $($field:ident: $value:ty),+ $(,)? }) => {
        impl $of {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: $value) -> Self {
                    self.$field = $field.into();
                    self
                }
            )+
        }
    };
}
