-- The load that Scripts/load-bookserver makes: nine reads, then a write, by each connection in turn.
local thread = 0

function setup(t)
    t:set("number", thread)
    thread = thread + 1
end

local ffi = require("ffi")
ffi.cdef [[
    typedef struct { long seconds; long nanoseconds; } load_time;
    int clock_gettime(int clock, load_time *time);
]]
local time = ffi.new("load_time")

-- Milliseconds since some moment.
local function now()
    ffi.C.clock_gettime(1, time)
    return tonumber(time.seconds) * 1000 + tonumber(time.nanoseconds) / 1e6
end

function init(args)
    interval = 1000 / (tonumber(args[1]) or 1000)
    run = args[2] or "0"
    count = 0
    due = now()
end

-- Keeps the rate of all connections together, however long the answers take: the next request is due at a fixed time after
-- the one before, and is sent at once if that has passed.
function delay()
    due = due + interval
    return math.max(0, due - now())
end

function request()
    count = count + 1
    local kind = count % 10
    if kind == 0 then
        local isbn = string.format("%s-%d-%d", run, number, count)
        local body = string.format(
            '{"isbn":"%s","title":"Load %d","pages":%d,"price":12.5,"author":"Author %s-%d"}', isbn, count,
            100 + count % 900, run, count % 5000)
        return wrk.format("POST", "/books", { ["Content-Type"] = "application/json" }, body)
    elseif kind == 5 and count > 1005 then
        -- One that was added a while ago.
        return wrk.format("GET", string.format("/books/%s-%d-%d", run, number, count - 1005))
    end
    return wrk.format("GET", "/books?limit=20&offset=" .. (count * 7 % 400))
end

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format("requests %d, in %.1f s: %.0f a second\n", summary.requests, summary.duration / 1e6,
        summary.requests / (summary.duration / 1e6)))
    io.write(string.format("milliseconds: median %.1f, 99 %% within %.1f, longest %.1f\n", latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, latency.max / 1000))
    io.write(string.format("errors: %d connecting, %d reading, %d writing, %d answers with a status of an error, %d too late\n",
        errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
