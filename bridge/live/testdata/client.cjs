// Foxglove's own client (@foxglove/ws-protocol): prints what a server at argv[2] tells on the
// topics argv[5...] by the subprotocol argv[3], argv[4] messages of it, and then takes its leave.
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { WebSocket } = require("ws");

const [url, subprotocol, count, ...topics] = process.argv.slice(2);
const client = new FoxgloveClient({ ws: new WebSocket(url, [subprotocol]) });
const byId = new Map();
let left = Number(count);
const say = (what) => process.stdout.write(what + "\n");
client.on("error", (error) => say(`error ${error}`));
client.on("serverInfo", (info) => say(`server ${info.name}`));
client.on("status", (status) => say(`status ${status.message}`));
client.on("advertise", (channels) => {
  for (const c of channels) {
    say(`channel ${c.topic} ${c.encoding} ${c.schemaName} ${c.schemaEncoding} ${typeof JSON.parse(c.schema)}`);
    if (topics.includes(c.topic)) {
      byId.set(client.subscribe(c.id), c);
    }
  }
});
client.on("message", (m) => {
  const text = new TextDecoder().decode(m.data);
  say(`message ${byId.get(m.subscriptionId).topic} ${m.timestamp} ${text}`);
  if (--left === 0) {
    for (const id of byId.keys()) {
      client.unsubscribe(id);
    }
    client.close();
  }
});
client.on("close", () => process.exit(0));
