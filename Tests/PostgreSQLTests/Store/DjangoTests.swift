#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Django's `inspectdb` makes models of a store's tables, with which it reads and writes them.
@Suite(.needsServer, .enabled(if: Python.hasDjango, "needs Django and psycopg2 for python3"))
struct DjangoTests {
    @Test func modelsOfInspectdbReadAndWriteTheTables() throws {
        try ServerStack.with(model: TableRuleTests.model()) { stack in
            try stack.inContext { context in
                let maker = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
                _ = TableRuleTests.product("own", maker, context)
                try context.save()
                let parts = try #require(URLComponents(url: stack.url, resolvingAgainstBaseURL: false))
                let result = try Python.run(
                    """
                    import io, django
                    from django.conf import settings
                    settings.configure(INSTALLED_APPS=[], DEFAULT_AUTO_FIELD='django.db.models.BigAutoField',
                        DATABASES={'default': {'ENGINE': 'django.db.backends.postgresql', 'NAME': '\(parts.path.dropFirst())',
                            'HOST': '\(parts.host ?? "")', 'PORT': \(parts.port ?? 5432), 'USER': '\(parts.user ?? "")',
                            'PASSWORD': '\(parts.password ?? "")', 'OPTIONS': {'options': '-c search_path=\(stack.schema)'}}})
                    django.setup()
                    from django.core.management import call_command
                    out = io.StringIO()
                    call_command('inspectdb', 'maker', 'product', 'label', 'label_products', stdout=out)
                    text = out.getvalue()
                    print(text)
                    names = {'__name__': 'shop'}
                    exec(text.replace('class Meta:', "class Meta:\\n        app_label = 'shop'"), names)
                    Maker, Product = names['Maker'], names['Product']
                    from django.db.models import F
                    new = Product.objects.create(z_ent=3, z_opt=1, code='django', stock=2, maker=Maker.objects.get())
                    changed = Product.objects.filter(code='own').update(stock=9, z_opt=F('z_opt') + 1)
                    print('written', new.pk, changed, sorted(Product.objects.values_list('code', flat=True)))
                    """)
                #expect(result.status == 0, "\(result.output)")
                for line in [
                    "z_pk = models.BigAutoField(primary_key=True",
                    "z_opt = models.IntegerField(",
                    "code = models.TextField(", "stock = models.IntegerField(",
                    "weight = models.FloatField(blank=True, null=True",
                    "isbn = models.TextField(",
                    "models.DO_NOTHING, db_column='maker', db_comment='Product.maker')",
                    "db_table_comment = 'Maker'",
                ] { #expect(result.output.contains(line), "\(line) in \(result.output)") }
                let code = result.output.split(separator: "\n").first { $0.contains(" code = ") }
                #expect(code?.contains("null=True") == false && code?.contains("Product.code") == true)
                #expect(
                    result.output.contains("written \(PostgreSQLSchema.firstForeignKey) 1 ['django', 'own']"),
                    "\(result.output)")
                context.refreshAllObjects()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
                request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
                let products = try context.fetch(request)
                #expect(products.map { $0.value(forKey: "stock") as? Int } == [2, 9])
                #expect(products.allSatisfy { $0.value(forKey: "maker") as? NSManagedObject === maker })
            }
        }
    }
}

/// Runs scripts of Python's.
private enum Python {
    static let hasDjango = (try? run("import django, psycopg2"))?.status == 0

    static func run(_ script: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
#endif
