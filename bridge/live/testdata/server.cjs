// Foxglove's own server (@foxglove/ws-protocol) by the subprotocol argv[3]: prints its port,
// tells each client that subscribes argv[2] messages, from where the last one left off, and
// closes the connection after half of them, so that it is made again.
const { FoxgloveServer } = require("@foxglove/ws-protocol");
const { WebSocketServer } = require("ws");

const count = Number(process.argv[2]), subprotocol = process.argv[3];
const server = new FoxgloveServer({ name: "theirs" });
const listening = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: (offered) => offered.has(subprotocol) && subprotocol });
const words = { encoding: "json", schemaName: "a/B", schema: JSON.stringify({ type: "object" }), schemaEncoding: "jsonschema" };
server.addChannel({ topic: "/other", ...words });
const channel = server.addChannel({ topic: "/words", ...words });
let sent = 0;
listening.on("listening", () => process.stdout.write(`${listening.address().port}\n`));
listening.on("connection", (connection, request) => {
  const last = sent < count / 2 ? count / 2 : count;
  server.handleConnection(connection, `client ${request.socket.remotePort}`);
  const tell = (id) => {
    if (id !== channel) {
      return;
    }
    server.off("subscribe", tell);
    server.broadcastTime(1n);
    while (sent < last) {
      const n = sent++;
      server.sendMessage(channel, BigInt(n) * 1000000000n, new TextEncoder().encode(`{"n":${n}}`));
    }
    connection.close();
  };
  server.on("subscribe", tell);
});
process.stdin.on("end", () => process.exit(0)).resume();
