//! Where the request really left from, as far as an answer tells.

use crate::host::Head;

/// The data centre in the `cf-ray` header of a sub-request's answer: `8f3…-SIN` → `SIN`.
///
/// `None` where the target's answer has no such header (it does not pass that network) or another shape.
pub fn colo(head: &Head) -> Option<String> {
    let ray = head
        .headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("cf-ray"))?;
    let (_, code) = ray.1.rsplit_once('-')?;
    let shaped = code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
    shaped.then(|| code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &str) -> Option<String> {
        colo(&Head {
            status: 200,
            headers: vec![("CF-Ray".to_owned(), value.to_owned())],
        })
    }

    #[test]
    fn the_suffix_of_the_ray_is_the_place() {
        assert_eq!(of("8f3c2d1a9b7e4f60-SIN").as_deref(), Some("SIN"));
    }

    #[test]
    fn no_place_is_made_up() {
        assert_eq!(of("8f3c2d1a9b7e4f60"), None);
        assert_eq!(of("8f3c-<script>"), None);
        assert_eq!(colo(&Head::default()), None);
    }
}
