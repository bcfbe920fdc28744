package dev.pail.server;

import dev.pail.repository.Repository;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON API: the versions of a repository, and writes. {@code docs/api.md} describes it. */
final class Api {
    private Api() {}

    /**
     * The endpoints by their paths, a path before those that it begins with.
     *
     * @param mostBytes the most bytes of the body of a request
     */
    static Map<String, Endpoint> endpoints(Repository repository, long mostBytes) {
        Versions versions = new Versions(repository);
        MapEndpoints map = new MapEndpoints(versions);
        HistoryEndpoints history = new HistoryEndpoints(repository, versions);
        TableEndpoints tables = new TableEndpoints(versions);
        Writes writes = new Writes(repository);
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        add(endpoints, "/v1/keys", map::answerKeys);
        add(endpoints, "/v1/value", new ValueEndpoint(repository, versions, writes, mostBytes));
        add(endpoints, "/v1/shard", map::answerShard);
        add(endpoints, "/v1/diff", map::answerDiff);
        add(endpoints, "/v1/proof", map::answerProof);
        add(endpoints, "/v1/history", history::answerHistory);
        endpoints.put(HistoryEndpoints.LOG, history::answerLog);
        add(endpoints, "/v1/tables", tables::answerTables);
        endpoints.put(TableEndpoints.TABLE, tables::answerRows);
        add(endpoints, "/v1/apply", new ApplyEndpoint(writes, mostBytes));
        return endpoints;
    }

    /** Adds an endpoint with nothing behind its path. */
    private static void add(Map<String, Endpoint> endpoints, String path, Endpoint endpoint) {
        endpoints.put(path, (request, response, callback) -> {
            if (!path.equals(request.getHttpURI().getPath())) {
                throw Refusal.notFound("there is nothing at this path, but at " + path);
            }
            endpoint.answer(request, response, callback);
        });
    }
}
