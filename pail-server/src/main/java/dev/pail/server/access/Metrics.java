package dev.pail.server.access;

import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.TimedRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Counts requests, and shows the numbers as text of Prometheus. What clients send makes no series: an endpoint is one of those that the
 * server has. Safe for use by several threads.
 */
public final class Metrics implements RequestLog, Endpoint {
    public static final String PATH = "/metrics";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter bytes = Counter.builder("pail.server.response.bytes")
            .description("Bytes of the bodies of responses")
            .register(registry);

    /** The registry would make and sort the tags of each request to find its timer. */
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();

    /** @param hundred the first digit of the status */
    private record Series(String endpoint, int hundred) {}

    public Metrics() {
        new JvmMemoryMetrics().bindTo(registry);
    }

    /** Shows a number as it is when it is asked for. */
    public void show(String name, String description, Supplier<Number> number) {
        Gauge.builder(name, number).description(description).register(registry);
    }

    @Override
    public void log(Request request, Response response) {
        bytes.increment((double) Response.getContentBytesWritten(response));
        timers.computeIfAbsent(new Series(TimedRequest.endpointOf(request), response.getStatus() / 100), this::timer)
                .record(System.nanoTime() - request.getBeginNanoTime(), TimeUnit.NANOSECONDS);
    }

    private Timer timer(Series series) {
        return Timer.builder("pail.server.requests")
                .description("Requests, from the first byte of the header to the end of the response")
                .tag("endpoint", series.endpoint)
                .tag("status", series.hundred + "xx")
                .register(registry);
    }

    @Override
    public void answer(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
        response.getHeaders().put(JsonReply.NOT_STORED);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, text.length);
        boolean isHead = HttpMethod.HEAD.is(request.getMethod());
        response.write(true, isHead ? ByteBuffer.allocate(0) : ByteBuffer.wrap(text), callback);
    }
}
