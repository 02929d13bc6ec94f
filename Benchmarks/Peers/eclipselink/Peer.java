import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.persistence.*;

/** The workload by EclipseLink, an implementation of JPA. Reads the data from a folder that `bookshelf.py` wrote. */
public class Peer {
    /** Milliseconds of 2001-01-01 in those of Java. */
    static final long EPOCH = 978307200000L;

    @Entity(name = "Author")
    @Table(name = "author")
    public static class Author {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "authors")
        @SequenceGenerator(name = "authors", sequenceName = "authors", allocationSize = 1000)
        public long id;
        @Version public int version;
        public String name;
        public String country;
        public Timestamp born;
        @OneToMany(mappedBy = "author") public List<Book> books = new ArrayList<>();
    }

    @Entity(name = "Book")
    @Table(name = "book", indexes = {@Index(columnList = "isbn"), @Index(columnList = "author_id")})
    public static class Book {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "books")
        @SequenceGenerator(name = "books", sequenceName = "books", allocationSize = 1000)
        public long id;
        @Version public int version;
        public String title;
        public String isbn;
        public String summary;
        public int pages;
        public double price;
        public Timestamp published;
        public Double rating;
        public boolean inPrint;
        @ManyToOne(fetch = FetchType.LAZY) @JoinColumn(name = "author_id") public Author author;
    }

    final EntityManagerFactory factory;
    final int runs;
    final List<String[]> authors, books, extra;
    final List<String> keys;
    final Map<String, String> expected;

    Peer(String[] arguments) throws IOException {
        // With user and password: EclipseLink takes a password of hexadecimal digits for an encrypted one.
        factory =
            Persistence.createEntityManagerFactory("peer", Map.of("javax.persistence.jdbc.url", arguments[0]));
        Path folder = Path.of(arguments[1]);
        runs = Integer.parseInt(arguments[2]);
        authors = table(folder, "authors");
        books = table(folder, "books");
        extra = table(folder, "extra");
        keys = Files.readAllLines(folder.resolve("keys"));
        expected = new java.util.HashMap<>();
        for (String[] line : table(folder, "expected")) expected.put(line[0], line[1]);
    }

    static List<String[]> table(Path folder, String name) throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve(name))) rows.add(line.split("\t", -1));
        return rows;
    }

    <T> void measure(String operation, Supplier<T> prepare, Function<T, Object> work) {
        double[] times = new double[runs];
        for (int run = 0; run <= runs; run++) {
            T state = prepare.get();
            long start = System.nanoTime();
            String result = String.valueOf(work.apply(state));
            if (run > 0) times[run - 1] = (System.nanoTime() - start) / 1e6;
            if (!result.equals(expected.getOrDefault(operation, result))) {
                System.err.println(operation + " by eclipselink answered " + result);
                System.exit(1);
            }
        }
        Arrays.sort(times);
        System.out.printf("eclipselink\t%s\t%.1f%n", operation, times[runs / 2]);
    }

    static Book make(String[] row) {
        Book book = new Book();
        book.title = row[0];
        book.isbn = row[1];
        book.summary = row[2];
        book.pages = Integer.parseInt(row[3]);
        book.price = Double.parseDouble(row[4]);
        book.published = new Timestamp(EPOCH + Long.parseLong(row[5]) * 1000);
        book.rating = row[6].isEmpty() ? null : Double.valueOf(row[6]);
        book.inPrint = row[7].equals("1");
        return book;
    }

    static Author makeAuthor(String[] row) {
        Author author = new Author();
        author.name = row[0];
        author.country = row[1];
        author.born = new Timestamp(EPOCH + Long.parseLong(row[2]) * 1000);
        return author;
    }

    static int last(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes[bytes.length - 1];
    }

    static long touch(Book book) {
        long sum = last(book.title) + last(book.isbn) + last(book.summary) + book.pages;
        sum += (long) Math.floor(book.price * 100 + 0.5);
        sum += (book.published.getTime() - EPOCH) / 1000 % 60;
        if (book.rating != null) sum += (long) Math.floor(book.rating * 10 + 0.5);
        return sum + (book.inPrint ? 1 : 0);
    }

    void sql(String statement) {
        EntityManager manager = factory.createEntityManager();
        manager.getTransaction().begin();
        manager.createNativeQuery(statement).executeUpdate();
        manager.getTransaction().commit();
        manager.close();
    }

    long count() {
        EntityManager manager = factory.createEntityManager();
        long count = manager.createQuery("SELECT COUNT(b) FROM Book b", Long.class).getSingleResult();
        manager.close();
        return count;
    }

    EntityManager fresh() { return factory.createEntityManager(); }

    long insert(EntityManager manager) {
        manager.getTransaction().begin();
        List<Author> made = new ArrayList<>();
        for (String[] row : authors) {
            Author author = makeAuthor(row);
            manager.persist(author);
            made.add(author);
        }
        for (String[] row : books) {
            Book book = make(row);
            book.author = made.get(Integer.parseInt(row[8]));
            manager.persist(book);
        }
        manager.getTransaction().commit();
        manager.close();
        return count();
    }

    long fetchTouch(EntityManager manager) {
        long sum = 0;
        for (Book book : manager.createQuery("SELECT b FROM Book b", Book.class).getResultList()) sum += touch(book);
        return sum;
    }

    long byKey(EntityManager manager) {
        long sum = 0;
        TypedQuery<Book> query = manager.createQuery("SELECT b FROM Book b WHERE b.isbn = :isbn", Book.class);
        for (String key : keys) sum += query.setParameter("isbn", key).getSingleResult().pages;
        return sum;
    }

    long traverse(EntityManager manager) {
        long sum = 0;
        TypedQuery<Author> query = manager.createQuery("SELECT a FROM Author a", Author.class);
        query.setHint("eclipselink.batch", "a.books");
        for (Author author : query.getResultList()) for (Book book : author.books) sum += book.pages;
        return sum;
    }

    static class Changing {
        EntityManager manager;
        List<Book> books;
    }

    Changing changing() {
        Changing changing = new Changing();
        changing.manager = fresh();
        changing.manager.getTransaction().begin();
        changing.books =
            changing.manager.createQuery("SELECT b FROM Book b WHERE b.title LIKE '%3'", Book.class).getResultList();
        return changing;
    }

    long update(Changing changing) {
        for (Book book : changing.books) book.price += 1.0;
        changing.manager.getTransaction().commit();
        return changing.books.size();
    }

    long saveSmall(EntityManager manager) {
        List<Author> known = manager.createQuery("SELECT a FROM Author a ORDER BY a.id", Author.class).getResultList();
        for (String[] row : extra) {
            manager.getTransaction().begin();
            Book book = make(row);
            book.author = known.get(Integer.parseInt(row[8]));
            manager.persist(book);
            manager.getTransaction().commit();
        }
        manager.close();
        return count();
    }

    public static void main(String[] arguments) throws IOException {
        Peer peer = new Peer(arguments);
        peer.measure("insert", () -> {
            peer.sql("TRUNCATE book, author");
            return peer.fresh();
        }, peer::insert);
        peer.sql("ANALYZE");
        peer.measure("fetch-touch", peer::fresh, peer::fetchTouch);
        peer.measure("by-key", peer::fresh, peer::byKey);
        peer.measure("traverse", peer::fresh, peer::traverse);
        peer.measure("update", peer::changing, peer::update);
        int version = peer.fresh().createQuery("SELECT MAX(b.version) FROM Book b", Integer.class).getSingleResult();
        if (version != peer.runs + 2) throw new IllegalStateException("the books are not changed");
        peer.measure("save-small", () -> {
            peer.sql("DELETE FROM book WHERE isbn = ANY(ARRAY['" + String.join("','",
                peer.extra.stream().map(row -> row[1]).toList()) + "'])");
            return peer.fresh();
        }, peer::saveSmall);
        peer.factory.close();
    }
}
