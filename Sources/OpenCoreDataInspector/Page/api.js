// What the page asks of the server. Addresses are relative, so that the page works under any folder.

export class ApiError extends Error {
  constructor(status, error) {
    super(error?.message ?? `The server answered ${status}.`);
    this.status = status;
    this.position = error?.position;
    this.length = error?.length;
    this.details = error?.details;
  }
}

export function address(path, values = {}) {
  const parts = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return parts.length ? `api/${path}?${parts.join("&")}` : `api/${path}`;
}

async function answer(response) {
  let body = null;
  try { body = await response.json(); } catch { /* Not from the inspector. */ }
  if (!response.ok) throw new ApiError(response.status, body?.error);
  return body;
}

export async function get(path, values, signal) {
  return answer(await fetch(address(path, values), { signal, headers: { Accept: "application/json" } }));
}

export async function post(path, body = {}) {
  return answer(await fetch(address(path), {
    method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
  }));
}

// Calls `change` with each message about changes of the store, and `state` when the connection comes or goes.
export function listen(change, state) {
  const source = new EventSource("api/events");
  let wasLost = false;
  source.addEventListener("hello", () => {
    state(true);
    if (wasLost) change({ transactions: null });
    wasLost = false;
  });
  source.addEventListener("change", (event) => change(JSON.parse(event.data)));
  source.addEventListener("error", () => { wasLost = true; state(false); });
  return source;
}
