#if Server
/// A page that shows the newest books and follows them.
enum Page {
    static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Books</title>
        <style>
        :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
        body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
        table { width: 100%; border-collapse: collapse; }
        th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
        td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
        #state { font-size: .85rem; opacity: .7; }
        </style>
        <h1>Books</h1>
        <p id="state" role="status">connecting</p>
        <table>
        <thead><tr><th>Title<th>Author<th>Price</tr></thead>
        <tbody id="books"></tbody>
        </table>
        <script>
        const state = document.getElementById("state"), body = document.getElementById("books");
        const events = new EventSource("events");
        events.onopen = () => { state.textContent = "live"; };
        events.onerror = () => { state.textContent = "connection lost, trying again"; };
        events.addEventListener("list", event => {
            const rows = JSON.parse(event.data).map(book => {
                const row = document.createElement("tr");
                for (const text of [book.title, book.author ?? "", book.price]) {
                    const cell = document.createElement("td");
                    cell.textContent = text;
                    row.append(cell);
                }
                return row;
            });
            body.replaceChildren(...rows);
        });
        </script>
        </html>

        """
}
#endif
