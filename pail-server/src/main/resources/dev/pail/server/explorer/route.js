/** The address of a view: its segments, then its parameters, behind the # of the page. No server sees them. */
export function link(segments, parameters = {}) {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return "#/" + segments.map(encodeURIComponent).join("/") + (query && "?" + query);
}

/** The segments and parameters of an address; those of the first view, if it is malformed. */
export function parse(hash) {
  try {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const parameters = new Map();
    for (const pair of query ? query.split("&") : []) {
      const [name, value = ""] = pair.split(/=(.*)/s);
      parameters.set(decodeURIComponent(name), decodeURIComponent(value));
    }
    return { segments: path.split("/").map(decodeURIComponent), parameters };
  } catch {
    return { segments: [""], parameters: new Map() };
  }
}

export const go = (href) => (location.hash = href);
