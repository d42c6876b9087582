//! Character sets: the bytes of a PDN file to text.

use std::borrow::Cow;

/// The text of a PDN file: UTF-8 as PDN 3.0 asks. A byte that is no UTF-8 is its letter in ISO 8859-1, as PDN 2.0 said, with the
/// dashes and quotation marks of Windows-1252: files are joined from others, and one name in old letters changes no other
/// name. A byte order mark is dropped. Never fails: every byte is some character.
///
/// ```
/// use kroon::notation::pdn::decode;
/// assert_eq!(decode("\u{feff}Zürich".as_bytes()), "Zürich");
/// assert_eq!(decode(b"Z\xfcrich"), "Zürich");
/// assert_eq!(decode(b"32\x9628"), "32–28");
/// assert_eq!(decode(b"Z\xc3\xbcrich, Z\xfcrich"), "Zürich, Zürich");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let mut text = String::with_capacity(bytes.len());
            decode_onto(&mut text, bytes, true);
            Cow::Owned(text)
        }
    }
}

/// Appends the text of these bytes to another; says how many bytes at their end are left for the next call, because they
/// may begin a character: none at the end of the file.
pub(super) fn decode_onto(text: &mut String, bytes: &[u8], is_end: bool) -> usize {
    let mut read = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let foreign = chunk.invalid();
        read += chunk.valid().len() + foreign.len();
        let may_go_on = || str::from_utf8(foreign).is_err_and(|error| error.error_len().is_none());
        if read == bytes.len() && !is_end && may_go_on() {
            return foreign.len();
        }
        text.extend(foreign.iter().map(|&byte| old_letter(byte)));
    }
    0
}

/// The letters of Windows-1252 from 0x80 on that ISO 8859-1 has no letters for; five bytes mean nothing there.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The letter of a byte in Windows-1252, which most programs wrote that call it ISO 8859-1.
fn old_letter(byte: u8) -> char {
    let place = byte.checked_sub(0x80).map(usize::from);
    place.and_then(|place| WINDOWS.chars().nth(place)).unwrap_or(char::from(byte))
}

/// How many bytes of a file [`decode`] has made so many characters of, behind the byte order mark.
///
/// ```
/// use kroon::notation::pdn::encoded_length;
/// assert_eq!(encoded_length(b"Z\xc3\xbcrich, Z\xfcrich", 14), 15);
/// ```
pub fn encoded_length(bytes: &[u8], characters: usize) -> usize {
    let mut length = 0;
    for _ in 0..characters {
        let rest = bytes.get(length..).unwrap_or_default();
        let whole = (1..=4).filter_map(|size| rest.get(..size)).find(|part| str::from_utf8(part).is_ok());
        length += whole.map_or(1, <[u8]>::len);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_pieces_it_is_the_same() {
        let bytes = b"a\xfcb\xc3\xa9\xc3\xe2\x82\xac\xe2\x82x\xf0\x9f\x98\x80\xf0\x9f\x98\xed\xa0\x80\xc0\x80\xf5\xf0\x9f";
        let whole = decode(bytes);
        assert!(whole.starts_with("aübéÃ€â‚x\u{1f600}ð"), "{whole}");
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let (mut text, mut raw) = (String::new(), Vec::new());
                for (piece, is_end) in
                    [(&bytes[..first], false), (&bytes[first..second], false), (&bytes[second..], true)]
                {
                    raw.extend(piece);
                    let open = decode_onto(&mut text, &raw, is_end);
                    raw.drain(..raw.len() - open);
                }
                assert_eq!((text.as_str(), raw.len()), (&*whole, 0), "{first} {second}");
            }
        }
        for (count, (at, _)) in whole.char_indices().enumerate() {
            let length = encoded_length(bytes, count);
            assert_eq!(decode(&bytes[..length]), whole[..at]);
        }
        assert_eq!(encoded_length(bytes, whole.chars().count()), bytes.len());
    }
}
