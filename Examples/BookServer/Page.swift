#if Server
/// A page that shows the books and follows them, with a form that makes and changes them.
enum Page {
    static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Books</title>
        <link rel="icon" href="data:,">
        <style>
        \(style)
        </style>
        <main>
        <header><h1>Books</h1><p id="state" role="status">connecting</p></header>
        <label class="find">Find by title <input id="find" type="search" autocomplete="off"></label>
        <div class="list">
        <table id="table" hidden>
        <thead><tr><th scope="col">Title<th scope="col">Author<th scope="col">Price<th scope="col">Change</tr></thead>
        <tbody id="books"></tbody>
        </table>
        <p id="count" class="note" hidden></p>
        <section id="empty" hidden>
        <h2>There are no books yet</h2>
        <p>Add the first one with the form below, or from a terminal. This page shows it at once.</p>
        <pre id="example" tabindex="0" aria-label="A command that adds a book"></pre>
        </section>
        <p id="none" hidden>No title has these letters.</p>
        </div>
        <form id="form" novalidate>
        <h2 id="task">Add a book</h2>
        <div class="fields">
        <label>ISBN <input name="isbn" required autocomplete="off"></label>
        <label>Title <input name="title" required autocomplete="off"></label>
        <label>Author <input name="author" required autocomplete="off"></label>
        <label>Pages <input name="pages" inputmode="numeric" autocomplete="off"></label>
        <label>Price <input name="price" inputmode="decimal" autocomplete="off"></label>
        <label>Published <input name="published" type="date"></label>
        </div>
        <p id="message" role="alert"></p>
        <div class="buttons"><button id="save">Add</button>
        <button id="cancel" type="button" class="quiet" hidden>Cancel</button></div>
        </form>
        </main>
        <script>
        \(script)
        </script>
        </html>

        """

    private static let style = """
        :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
            --line: color-mix(in srgb, currentColor 18%, transparent);
            --accent: light-dark(#3d4cb8, #9aa6ff); --bad: light-dark(#b3261e, #ff8f85); }
        * { box-sizing: border-box; }
        body { background: Canvas; color: CanvasText; margin: 0; }
        [hidden] { display: none !important; }
        main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
        header { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
        h1 { margin: 0; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
        .note, #state { font-size: .9rem; opacity: .8; margin: .5rem 0; }
        .list { margin: 1rem 0 2rem; }
        table { width: 100%; border-collapse: collapse; }
        th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        th:nth-child(3), td:nth-child(3) { text-align: right; white-space: nowrap; }
        th:last-child, td:last-child { text-align: right; }
        input, button { font: inherit; color: inherit; padding: .3rem .5rem; border: 1px solid var(--line);
            border-radius: .4rem; background: transparent; min-width: 0; }
        button { cursor: pointer; } .quiet { border-color: transparent; color: var(--accent); }
        #save { background: var(--accent); color: light-dark(#fff, #10131f); border-color: transparent;
            padding: .3rem 1rem; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        .find input { width: 100%; }
        form, #empty { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; }
        .fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .6rem 1rem; }
        .fields label { display: grid; } [aria-invalid=true] { border-color: var(--bad); }
        .buttons { display: flex; gap: .5rem; } #message { color: var(--bad); min-height: 1.5em; margin: .4rem 0; }
        pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: .4rem;
            font-size: .85rem; margin: 0; }
        """

    /// Texts reach the page through `textContent` alone, so that nothing of a book is ever markup.
    private static let script = #"""
        const $ = (id) => document.getElementById(id);
        const form = $("form"), fields = form.elements;
        const json = { "Content-Type": "application/json" };
        let books = [], changed = null, asked = 0;

        $("example").textContent = `curl ${location.origin}/books -H 'Content-Type: application/json' -d '{
            "isbn": "9780156027601", "title": "Solaris", "author": "Stanisław Lem",
            "pages": 204, "price": 11.5}'`;

        async function ask(path, options) {
            let response;
            try { response = await fetch(path, options); } catch { throw new Error("The server doesn't answer."); }
            const text = await response.text();
            let content = null;
            try { content = JSON.parse(text); } catch { /* An empty answer, or a sentence. */ }
            if (response.ok) return content;
            throw new Error(content?.error?.message ?? (text || `The server answered ${response.status}.`));
        }

        function button(label, name, act) {
            const made = document.createElement("button");
            made.type = "button";
            made.className = "quiet";
            made.textContent = label;
            made.setAttribute("aria-label", `${label} ${name}`);
            made.addEventListener("click", act);
            return made;
        }

        function show(found, isSearch) {
            const focused = document.activeElement?.getAttribute("aria-label");
            $("books").replaceChildren(...found.map((book) => {
                const row = document.createElement("tr");
                for (const text of [book.title, book.author ?? "", book.price.toFixed(2)]) {
                    const cell = document.createElement("td");
                    cell.textContent = text;
                    row.append(cell);
                }
                const last = document.createElement("td");
                last.append(button("Edit", book.title, () => edit(book)),
                    button("Delete", book.title, () => remove(book)));
                row.append(last);
                return row;
            }));
            for (const made of $("books").querySelectorAll("button")) {
                if (focused && made.getAttribute("aria-label") === focused) { made.focus(); break; }
            }
            $("table").hidden = found.length === 0;
            $("empty").hidden = found.length > 0 || isSearch;
            $("none").hidden = found.length > 0 || !isSearch;
            $("count").hidden = found.length < 50;
            $("count").textContent = "These are the first 50 by title.";
        }

        // What is found by title is asked for once more when the books change.
        async function refresh() {
            const title = $("find").value.trim(), number = ++asked;
            if (title === "") return show(books, false);
            try {
                const found = await ask(`books?limit=50&title=${encodeURIComponent(title)}`);
                if (number === asked) show(found, true);
            } catch (error) { $("message").textContent = error.message; }
        }

        function begin(book) {
            changed = book;
            form.reset();
            for (const field of form.querySelectorAll("input")) field.removeAttribute("aria-invalid");
            $("task").textContent = book ? `Change ${book.title}` : "Add a book";
            $("save").textContent = book ? "Save" : "Add";
            $("cancel").hidden = !book;
            $("message").textContent = "";
            fields.isbn.disabled = Boolean(book);
        }

        function edit(book) {
            begin(book);
            for (const name of ["isbn", "title", "author", "pages", "price"]) fields[name].value = book[name] ?? "";
            fields.published.value = book.published.slice(0, 10);
            fields.title.focus();
        }

        async function remove(book) {
            if (!confirm(`Delete ${book.title}?`)) return;
            try {
                await ask(`books/${encodeURIComponent(book.isbn)}`, { method: "DELETE" });
                if (changed?.isbn === book.isbn) begin(null);
            } catch (error) { $("message").textContent = error.message; }
        }

        // What is wrong with a field, as a sentence.
        function mistake(field) {
            const text = field.value.trim(), name = field.parentElement.firstChild.textContent.trim();
            if (field.validity.badInput) return `${name} isn't a whole date.`;
            if (field.required && text === "") return `${name} is missing.`;
            if (field.name === "pages" && !/^\d*$/.test(text)) return "Pages is a whole number.";
            if (field.name === "pages" && Number(text) > 2147483647) return "Pages is too large.";
            if (field.name === "price" && !/^(\d+(\.\d+)?)?$/.test(text)) return "Price is a number, such as 11.50.";
            return null;
        }

        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            let first = null;
            for (const field of form.querySelectorAll("input:enabled")) {
                const wrong = mistake(field);
                field.setAttribute("aria-invalid", String(Boolean(wrong)));
                if (wrong && !first) first = { field, wrong };
            }
            $("message").textContent = first?.wrong ?? "";
            if (first) return first.field.focus();
            const book = {};
            for (const name of ["isbn", "title", "author"]) book[name] = fields[name].value.trim();
            for (const name of ["pages", "price"]) {
                if (fields[name].value.trim() !== "") book[name] = Number(fields[name].value);
            }
            if (fields.published.value !== "") book.published = `${fields.published.value}T00:00:00Z`;
            $("save").disabled = true;
            try {
                const path = changed ? `books/${encodeURIComponent(changed.isbn)}` : "books";
                await ask(path, { method: changed ? "PUT" : "POST", headers: json, body: JSON.stringify(book) });
                begin(null);
                fields.isbn.focus();
            } catch (error) { $("message").textContent = error.message; }
            $("save").disabled = false;
        });
        $("cancel").addEventListener("click", () => begin(null));
        $("find").addEventListener("input", refresh);

        const events = new EventSource("events");
        events.onopen = () => { $("state").textContent = "live"; };
        events.onerror = () => { $("state").textContent = "connection lost, trying again"; };
        events.addEventListener("list", (event) => { books = JSON.parse(event.data); refresh(); });
        """#
}
#endif
