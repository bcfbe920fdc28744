/** A CID within dag-cbor, with the text that the server writes. */
export class Link {
  constructor(bytes) {
    this.bytes = bytes;
  }

  toString() {
    return cidText(this.bytes);
  }
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** A CID of version 1 in base32, one of version 0 in base58. */
function cidText(bytes) {
  if (bytes[0] === 0x12 && bytes.length === 34) {
    let number = BigInt("0x" + [...bytes].map((each) => each.toString(16).padStart(2, "0")).join(""));
    let text = "";
    for (; number > 0n; number /= 58n) text = BASE58[Number(number % 58n)] + text;
    return text;
  }
  let text = "b";
  let bits = 0;
  let rest = 0;
  for (const each of bytes) {
    rest = ((rest << 8) | each) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(rest >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + BASE32[(rest << (5 - bits)) & 31] : text;
}

/** The bytes of a CID's text; undefined for a base that this page does not read. */
function cidBytes(text) {
  if (text.startsWith("Qm")) {
    let number = 0n;
    for (const each of text) number = number * 58n + BigInt(BASE58.indexOf(each));
    return Uint8Array.from(number.toString(16).padStart(68, "0").match(/../g), (each) => parseInt(each, 16));
  }
  if (text[0] !== "b") return undefined;
  const bytes = [];
  let bits = 0;
  let rest = 0;
  for (const each of text.slice(1)) {
    rest = ((rest << 5) | BASE32.indexOf(each)) & 0xfff;
    if ((bits += 5) >= 8) bytes.push((rest >> (bits -= 8)) & 255);
  }
  return Uint8Array.from(bytes);
}

/** The codec, the hash function and the digest of a CID. */
export function cidParts(text) {
  const bytes = cidBytes(text);
  if (bytes === undefined) return undefined;
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const each = bytes[at++];
      value += (each & 127) * shift;
      if (!(each & 128)) return value;
    }
  };
  if (bytes[0] === 0x12 && bytes.length === 34) return { codec: 0x70, hash: 0x12, digest: bytes.subarray(2) };
  number();
  const codec = number();
  const hash = number();
  number();
  return { codec, hash, digest: bytes.subarray(at) };
}

const MOST_DEPTH = 200;

/** Decodes dag-cbor. Maps become Maps, long integers BigInts, CIDs Links. Throws a RangeError for anything malformed. */
export function decode(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder("utf-8", { fatal: true });
  let at = 0;
  const take = (length) => {
    if (length > bytes.length - at) throw new RangeError("dag-cbor that ends too early");
    at += length;
    return at - length;
  };
  const argument = (info) => {
    if (info < 24) return info;
    if (info === 24) return view.getUint8(take(1));
    if (info === 25) return view.getUint16(take(2));
    if (info === 26) return view.getUint32(take(4));
    if (info === 27) {
      const value = view.getBigUint64(take(8));
      return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
    }
    throw new RangeError("dag-cbor without lengths");
  };
  const slice = (length) => {
    const start = take(Number(length));
    return bytes.subarray(start, at);
  };
  const item = (depth) => {
    if (depth > MOST_DEPTH) throw new RangeError("dag-cbor that is nested too deep");
    const first = view.getUint8(take(1));
    const info = first & 31;
    if (first >> 5 === 7) {
      if (info === 20 || info === 21) return info === 21;
      if (info === 22) return null;
      if (info === 27) return view.getFloat64(take(8));
      throw new RangeError("not dag-cbor");
    }
    const value = argument(info);
    switch (first >> 5) {
      case 0:
        return value;
      case 1:
        return typeof value === "bigint" ? -1n - value : -1 - value;
      case 2:
        return slice(value);
      case 3:
        return text.decode(slice(value));
      case 4: {
        const all = [];
        for (let i = 0; i < value; i++) all.push(item(depth + 1));
        return all;
      }
      case 5: {
        const all = new Map();
        for (let i = 0; i < value; i++) {
          const name = item(depth + 1);
          all.set(name, item(depth + 1));
        }
        return all;
      }
      default: {
        const link = item(depth + 1);
        if (value !== 42 || !(link instanceof Uint8Array) || link[0] !== 0) throw new RangeError("a tag that is no link");
        return new Link(link.slice(1));
      }
    }
  };
  const all = item(0);
  if (at !== bytes.length) throw new RangeError("bytes behind dag-cbor");
  return all;
}

const base64 = (bytes) => btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join("")).replace(/=+$/, "");

/** Decoded dag-cbor as text of dag-json, indented. */
export function dagJson(value, indent = "") {
  const deeper = indent + "  ";
  if (value instanceof Link) return `{"/": "${value}"}`;
  if (value instanceof Uint8Array) return `{"/": {"bytes": "${base64(value)}"}}`;
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) {
    return value.length === 0 ? "[]" : `[\n${value.map((each) => deeper + dagJson(each, deeper)).join(",\n")}\n${indent}]`;
  }
  if (value instanceof Map) {
    return value.size === 0
      ? "{}"
      : `{\n${[...value].map(([name, each]) => `${deeper}${JSON.stringify(String(name))}: ${dagJson(each, deeper)}`).join(",\n")}\n${indent}}`;
  }
  return JSON.stringify(value);
}

/** All links within a decoded block. */
export function links(value, found = []) {
  if (value instanceof Link) found.push(value);
  else if (Array.isArray(value)) value.forEach((each) => links(each, found));
  else if (value instanceof Map) value.forEach((each) => links(each, found));
  return found;
}
