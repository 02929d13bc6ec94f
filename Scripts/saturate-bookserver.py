"""Asks a BookServer by many connections at a time, each of which sends its next request when it has an answer.

usage: saturate-bookserver.py PORT SECONDS CONNECTIONS
"""
import asyncio
import json
import sys
import time

PORT, SECONDS, CONNECTIONS = (int(argument) for argument in sys.argv[1:4])
MOST = 0.250


class Client(asyncio.Protocol):
    def __init__(self, number, run, results):
        self.number, self.run, self.results, self.count = number, run, results, 0
        self.data = b""
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        self.send()

    def send(self):
        self.start = time.perf_counter()
        if self.start >= self.run["end"]:
            self.transport.close()
            return
        self.count += 1
        kind = (self.count + self.number) % 10
        if kind == 0:
            body = json.dumps({"isbn": f"{self.number}-{self.count}", "title": f"Load {self.count}", "pages": 100,
                               "price": 12.5, "author": f"Author {self.number}"})
            head = f"POST /books HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            self.kind, text = "write", head + body
        else:
            offset = (self.count * 7 + self.number) % 400
            self.kind, text = "read", f"GET /books?limit=20&offset={offset} HTTP/1.1\r\nHost: b\r\n\r\n"
        self.transport.write(text.encode())

    def data_received(self, data):
        self.data += data
        head, mark, body = self.data.partition(b"\r\n\r\n")
        if not mark:
            return
        lines = head.lower().split(b"\r\n")
        length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
        if len(body) < length:
            return
        self.data = body[length:]
        status = int(head[9:12])
        if status == 503:
            kind = "refused" if any(line.startswith(b"retry-after:") for line in lines) else "failed"
        else:
            kind = self.kind if status < 400 else "failed"
        # Before that, connections are made.
        if self.start >= self.run["begin"]:
            self.results[kind].append(time.perf_counter() - self.start)
        self.send()

    def connection_lost(self, error):
        if time.perf_counter() < self.run["end"]:
            self.results["failed"].append(0)
        if not self.done.done():
            self.done.set_result(None)


async def main():
    results = {"read": [], "write": [], "refused": [], "failed": []}
    now = time.perf_counter()
    run = {"begin": now + 5, "end": now + 5 + SECONDS}
    loop = asyncio.get_running_loop()
    clients = [await loop.create_connection(lambda number=number: Client(number, run, results), "127.0.0.1", PORT)
               for number in range(CONNECTIONS)]
    await asyncio.wait([client.done for _, client in clients], timeout=SECONDS + 60)

    def part(times, share):
        return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000 if times else 0

    admitted = results["read"] + results["write"]
    for name, times in [("let in", admitted), ("reads", results["read"]), ("writes", results["write"]),
                        ("refused", results["refused"])]:
        print(f"  {name}: {len(times) / SECONDS:.0f} a second, median {part(times, 0.5):.0f} ms, "
              f"99 % within {part(times, 0.99):.0f} ms, longest {part(times, 1):.0f} ms")
    print(f"  failed: {len(results['failed'])}")
    return 1 if results["failed"] or not admitted or part(admitted, 0.99) > MOST * 1000 else 0


sys.exit(asyncio.run(main()))
