// The views of the page, each with the address of one example over the repository "town".
import { facts, link } from "./harness.mjs";

const { town } = facts;

export const views = {
  branches: "#/",
  keys: "#/keys/main",
  "keys in a folder": link(["keys", "main"], { prefix: "numbers/" }),
  "keys searched": link(["keys", "main"], { contains: "da" }),
  "keys in a range": link(["keys", "main"], { from: "notes/", before: "numbers/01" }),
  text: link(["value", "main"], { key: "notes/today" }),
  json: link(["value", "main"], { key: "config.json" }),
  image: link(["value", "main"], { key: "pictures/dot.png" }),
  bytes: link(["value", "main"], { key: "bytes.bin" }),
  folder: link(["value", "main"], { key: "folder" }),
  nested: link(["value", "main"], { key: "nested" }),
  absent: link(["value", "main"], { key: "no/such/key" }),
  elsewhere: link(["value", "main"], { key: "elsewhere" }),
  block: link(["node", town.root]),
  history: "#/history/main",
  "history of all branches": link(["history", "main"], { all: "yes" }),
  "history of a key": link(["history", "main"], { key: "notes/today" }),
  updates: "#/log/main",
  "diff by key": link(["diff"], { from: "v1.0", to: "main" }),
  "diff by shard": link(["diff"], { from: "v1.0", to: "main", by: "shards" }),
  shards: "#/shards/main",
  "shards below a prefix": link(["shards", "main"], { prefix: "notes/" }),
  tables: "#/tables/main",
  table: link(["table", "main", "people"]),
  "table filtered": link(["table", "main", "people"], { where: "age > 45" }),
  state: "#/state",
  "no such version": "#/keys/nowhere",
  "no such view": "#/nothing",
};

/** What the browser says of answers that are errors, which some of these views show. */
export const refused = /Failed to load resource: the server responded with a status of (404|406)/;
