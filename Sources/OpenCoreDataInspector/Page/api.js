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

async function ask(path, options, read = (response) => response.json()) {
  let response, body = null;
  try {
    response = await fetch(path, options);
    body = await (response.ok ? read(response) : response.json());
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (!response) throw new ApiError(0, { message: "The inspector's server doesn't answer. Is it still running?" });
    if (response.ok) throw new ApiError(0, { message: "The answer of the inspector's server ended too early." });
    // An error that isn't the inspector's own, as of a server between.
  }
  if (!response.ok) throw new ApiError(response.status, body?.error);
  return body;
}

export async function get(path, values, signal) {
  return ask(address(path, values), { signal, headers: { Accept: "application/json" } });
}

// The whole value of an attribute, as a string.
export async function wholeText(id, key) {
  return ask(address("value", { id, key }), {}, (response) => response.text());
}

export async function post(path, body = {}) {
  return ask(address(path), {
    method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
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
