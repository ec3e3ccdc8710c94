//! Normalises the URL of a remote, whatever the protocol. Credentials are dropped.

/// Returns `host/path` of a remote's URL: without protocol, user, password, query and `.git`, the host in lower case. A
/// local repository is its absolute path. `None` if the text names no location.
pub fn normalised_remote(url: &str) -> Option<String> {
    let url = url.trim();
    let url = url.split(['?', '#']).next().unwrap_or(url);
    match url.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => {
            local(rest.find('/').map_or("", |at| &rest[at..]))
        }
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/')?;
            remote(&host(authority, default_port(scheme))?, path)
        }
        None if url.starts_with('/') => local(url),
        None => {
            // The scp form: `user@host:path`.
            let head = &url[..url.find('/').unwrap_or(url.len())];
            let start = head.rfind('@').map_or(0, |at| at + 1);
            let (name, path) = url[start..].split_once(':')?;
            // `../other` is a path, and `C:/other` is one as well.
            let is_host = name.len() > 1 && !name.contains('/');
            is_host.then(|| remote(&name.to_ascii_lowercase(), path))?
        }
    }
}

fn remote(host: &str, path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let path = parts.join("/");
    let path = path.strip_suffix(".git").unwrap_or(&path);
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

fn local(path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/.git").unwrap_or(path);
    let path = path.strip_suffix(".git").unwrap_or(path);
    (!path.is_empty()).then(|| path.to_owned())
}

/// Returns the host, and the port if it is not the protocol's default.
fn host(authority: &str, default_port: &str) -> Option<String> {
    let start = authority.rfind('@').map_or(0, |at| at + 1);
    let host = authority[start..].to_ascii_lowercase();
    let port = host.rfind(':').filter(|at| !host[*at..].contains(']'));
    match port.map(|at| host.split_at(at)) {
        Some((name, port)) if port.len() == 1 || &port[1..] == default_port => {
            (!name.is_empty()).then(|| name.to_owned())
        }
        _ => Some(host),
    }
}

fn default_port(scheme: &str) -> &'static str {
    match scheme.to_ascii_lowercase().as_str() {
        "https" => "443",
        "http" => "80",
        "git" => "9418",
        _ => "22",
    }
}
