package dev.pail.server.api;

import dev.pail.repository.Repository;
import dev.pail.server.access.Quotas;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.Paths;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON API: the versions of a repository, and writes. {@code docs/api.md} describes it. */
public final class Api {
    private Api() {}

    /**
     * The endpoints by their paths.
     *
     * @param mostBytes the most bytes of the body of a write
     * @param hasTokens whether requests need a token
     */
    public static Map<String, Endpoint> endpoints(
            Repository repository, long mostBytes, boolean hasTokens, Quotas quotas) {
        RequestedVersions versions = new RequestedVersions(repository);
        MapEndpoints map = new MapEndpoints(versions);
        HistoryEndpoints history = new HistoryEndpoints(repository, versions);
        Writes writes = new Writes(repository);
        TableEndpoints tables = new TableEndpoints(versions, writes);
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        endpoints.put("/v1/keys", map::answerKeys);
        endpoints.put(Paths.VALUE, new ValueEndpoint(repository, versions, writes, mostBytes, quotas));
        endpoints.put("/v1/node", new NodeEndpoint(repository.blocks()));
        endpoints.put("/v1/shard", map::answerShard);
        endpoints.put("/v1/diff", map::answerDiff);
        endpoints.put("/v1/diff/value", map::answerValueDiff);
        endpoints.put("/v1/proof", map::answerProof);
        endpoints.put("/v1/history", history::answerHistory);
        endpoints.put(HistoryEndpoints.LOG, history::answerLog);
        endpoints.put("/v1/tags", history::answerTags);
        endpoints.put("/v1/tables", tables::answerTables);
        endpoints.put(Paths.TABLE, tables::answerRows);
        endpoints.put("/v1/state", new StateEndpoint(repository, hasTokens));
        endpoints.put(Paths.CONFLICTS, new ConflictsEndpoint(writes));
        endpoints.put(Paths.APPLY, new ApplyEndpoint(writes, mostBytes));
        return endpoints;
    }
}
