/** A path and its parameters, without those that are empty. */
export function address(path, parameters = {}) {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return path + (query && "?" + query);
}

/** The address of a view: its segments, then its parameters, behind the # of the page. No server sees them. */
export const link = (segments, parameters) => address("#/" + segments.map(encodeURIComponent).join("/"), parameters);

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
