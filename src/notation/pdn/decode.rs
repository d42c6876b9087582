//! Character sets: the bytes of a PDN file to text.

use std::borrow::Cow;

/// The text of a PDN file: UTF-8 as PDN 3.0 asks, else ISO 8859-1 as PDN 2.0 said. A byte order mark is dropped.
/// Never fails: every byte is some character of ISO 8859-1.
///
/// ```
/// use kroon::notation::pdn::decode;
/// assert_eq!(decode("\u{feff}Zürich".as_bytes()), "Zürich");
/// assert_eq!(decode(b"Z\xfcrich"), "Zürich");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}
