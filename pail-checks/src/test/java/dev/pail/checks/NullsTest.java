package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.BlockException;
import dev.pail.BlockLocation;
import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.KeyRange;
import dev.pail.LocatedBlocks;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.MissingBlockException;
import dev.pail.NameRange;
import dev.pail.Namespace;
import dev.pail.OriginHints;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ReadHints;
import dev.pail.ReadOnlyPail;
import dev.pail.RowLoc;
import dev.pail.ShardFormat;
import dev.pail.SharedShards;
import dev.pail.Verification;
import dev.pail.WatchedBlockStore;
import dev.pail.blockstore.CachingBlockStore;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.blockstore.SegmentStatistics;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.CarHeader;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarWriter;
import dev.pail.car.ValueCheck;
import dev.pail.clock.ConflictCache;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.HistoryTree;
import dev.pail.clock.HistoryTrees;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.clock.proof.FollowsProof;
import dev.pail.content.merge.PrefixRules;
import dev.pail.content.merge.ValueMerge;
import dev.pail.disk.Disk;
import dev.pail.folder.FolderImport;
import dev.pail.folder.FolderImportOptions;
import dev.pail.folder.FolderKeys;
import dev.pail.folder.FolderListener;
import dev.pail.folder.FolderPut;
import dev.pail.folder.FolderRestore;
import dev.pail.folder.PutOptions;
import dev.pail.folder.RestoreOptions;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.jdbc.PostgresLocator;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.keys.ByteKeyCodec;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import dev.pail.remote.Exchange;
import dev.pail.remote.FetchReply;
import dev.pail.remote.FetchRequest;
import dev.pail.remote.FetchResult;
import dev.pail.remote.Following;
import dev.pail.remote.HttpGateway;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.Mirror;
import dev.pail.remote.NextReads;
import dev.pail.remote.PushMode;
import dev.pail.remote.PushReply;
import dev.pail.remote.PushRequest;
import dev.pail.remote.Pushed;
import dev.pail.remote.Quarantine;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.RemoteInfo;
import dev.pail.remote.RemoteState;
import dev.pail.remote.RemoteTag;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.Branches;
import dev.pail.repository.CarVersions;
import dev.pail.repository.ChangeFeed;
import dev.pail.repository.Conflicts;
import dev.pail.repository.CopyListener;
import dev.pail.repository.CopyOptions;
import dev.pail.repository.Erasing;
import dev.pail.repository.GarbageCollection;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Maintenance;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.RemoteRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import dev.pail.repository.Tags;
import dev.pail.repository.VersionHistory;
import dev.pail.repository.files.FileLocator;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.files.Packing;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.ErasurePlan;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.PailChange;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.model.Updated;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.spi.BlockSource;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.DerivedRoots;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RecentConflicts;
import dev.pail.repository.spi.RecentCounts;
import dev.pail.repository.spi.RecordErasures;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefRecords;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.repository.spi.RepositoryStores;
import dev.pail.s3.S3Locator;
import dev.pail.s3.S3Storage;
import dev.pail.server.HttpRepositoryServer;
import dev.pail.server.PailServer;
import dev.pail.server.ServerLimits;
import dev.pail.server.ServerOptions;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import dev.pail.sign.VerifierKey;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import dev.pail.table.Bytes;
import dev.pail.table.Column;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Index;
import dev.pail.table.Plan;
import dev.pail.table.Row;
import dev.pail.table.Scalar;
import dev.pail.table.Schema;
import dev.pail.table.Summary;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.TableLineage;
import dev.pail.table.TableMerge;
import dev.pail.table.TableRules;
import dev.pail.table.Tables;
import dev.pail.table.ValueRange;
import dev.pail.through.BlockSources;
import dev.pail.through.GatewayBlocks;
import dev.pail.through.RemoteReads;
import dev.pail.through.ServedLocator;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.FolderEntry;
import dev.pail.unixfs.FolderLink;
import dev.pail.unixfs.FolderWalk;
import dev.pail.unixfs.FolderWriter;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsFile;
import dev.pail.unixfs.UnixFsNode;
import dev.pail.unixfs.WalkLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** Null is refused at once by all that is public in all modules, with a message that names it. */
class NullsTest {
    private final Map<Class<?>, Callable<?>> samples = new HashMap<>();

    @TempDir
    Path folder;

    @Test
    void nullIsRefusedAtOnce() throws Exception {
        pails();
        tables();
        try (Repository repository = FileRepository.init(folder.resolve("repository"), ShardFormat.v0());
                BlockStore files = DirectoryBlockStore.open(folder.resolve("files"));
                SegmentBlockStore segments = SegmentBlockStore.open(folder.resolve("segments"))) {
            stores(repository, files, segments);
            services(repository);
            assertThat(new Nulls(Modules.exportedForPrograms(), samples).taken())
                    .isEmpty();
        }
    }

    private void pails() {
        BlockStore blocks = new MemoryBlockStore();
        Cid value = Block.of(Cid.RAW, new byte[1]).cid();
        ReplicatedPail replica = ReplicatedPail.create(blocks).put("key", value);
        Pail pail = replica.pail();
        Event event = replica.clock().event(replica.head().events().get(0));
        samples.put(HistoryTree.class, HistoryTree::empty);
        samples.put(HistoryTrees.class, HistoryTrees::none);
        samples.put(HistoryTrees.Storage.class, () -> HistoryTrees.Storage.NONE);
        Cid next = replica.put("next", value).head().events().get(0);
        samples.put(
                FollowsProof.class,
                () -> FollowsProof.of(blocks, next, event.cid(), ProofLimits.DEFAULT)
                        .orElseThrow());
        samples.put(String.class, () -> "key");
        samples.put(String[].class, () -> new String[0]);
        samples.put(byte[].class, () -> new byte[1]);
        samples.put(BigInteger.class, () -> BigInteger.ONE);
        samples.put(List.class, List::of);
        samples.put(Stream.class, Stream::empty);
        samples.put(Set.class, Set::of);
        samples.put(Map.class, Map::of);
        samples.put(Collection.class, List::of);
        samples.put(Optional.class, Optional::empty);
        samples.put(Function.class, Function::identity);
        samples.put(Cid.class, event::cid);
        samples.put(Block.class, event::block);
        samples.put(BlockException.class, () -> new MissingBlockException(event.cid()));
        samples.put(MessageDigest.class, () -> MessageDigest.getInstance("SHA-256"));
        samples.put(DagCborWriter.class, DagCborWriter::new);
        samples.put(BlockStore.class, () -> blocks);
        samples.put(ShardFormat.class, ShardFormat::v0);
        samples.put(Pail.class, () -> pail);
        samples.put(ReadOnlyPail.class, () -> ReadOnlyPail.open(blocks, pail.root()));
        samples.put(Batch.class, pail::batch);
        samples.put(KeyRange.class, KeyRange::all);
        samples.put(MergePolicy.class, MergePolicy::fail);
        samples.put(Name.class, () -> Name.of("name"));
        samples.put(NameRange.class, NameRange::all);
        samples.put(Namespace.class, () -> pail.namespace("name"));
        samples.put(KeyCodec.class, KeyCodec::lengthPrefixed);
        samples.put(ByteKeyCodec.class, ByteKeyCodec::asciiHex);
        samples.put(Proof.class, () -> pail.prove("key"));
        samples.put(ProofLimits.class, () -> ProofLimits.DEFAULT);
        SigningKey signer = SigningKey.generate("key");
        samples.put(SigningKey.class, () -> signer);
        samples.put(VerifierKey.class, signer::verifierKey);
        samples.put(
                HeadNote.class,
                () -> HeadNote.parse(new SignedHead("main", 1, pail.root(), replica.head()).sign(signer)));
        samples.put(SignedHead.class, () -> new SignedHead("key", 0, pail.root(), replica.head()));
        samples.put(Query.class, () -> new Query.Key("key"));
        samples.put(Event.class, () -> event);
        samples.put(Operation.class, event::operation);
        samples.put(Head.class, replica::head);
        samples.put(MerkleClock.class, replica::clock);
        samples.put(ReplicatedPail.class, () -> replica);
        samples.put(ReplicatedBatch.class, replica::batch);
    }

    private void tables() {
        FieldPath field = FieldPath.parse("name");
        Document document = Document.parse("{\"name\":\"ann\"}");
        Scalar value = Scalar.of("ann");
        Tables tables = Tables.of(Tables.of(Pail.create(new MemoryBlockStore()))
                .create("key")
                .createIndex(field)
                .put("row", document)
                .pail());
        samples.put(BigDecimal.class, () -> BigDecimal.ONE);
        samples.put(Supplier.class, () -> (Supplier<?>) () -> null);
        samples.put(Bytes.class, () -> Bytes.of("row"));
        samples.put(Document.class, () -> document);
        samples.put(FieldPath.class, () -> field);
        samples.put(Scalar.class, () -> value);
        samples.put(ValueRange.class, () -> ValueRange.equal(value));
        samples.put(Filter.class, () -> new Filter.Exists(field));
        samples.put(Filter.Exists.class, () -> new Filter.Exists(field));
        samples.put(Filter.Compare.class, () -> new Filter.Compare(field, Filter.Comparison.EQUAL, value));
        samples.put(Filter.Contains.class, () -> new Filter.Contains(field, value));
        samples.put(Filter.Starts.class, () -> new Filter.Starts(field, "a"));
        samples.put(Filter.In.class, () -> new Filter.In(field, List.of(value)));
        samples.put(Filter.Not.class, () -> new Filter.Not(new Filter.Exists(field)));
        samples.put(Filter.And.class, () -> new Filter.And(List.of(new Filter.Exists(field))));
        samples.put(Filter.Or.class, () -> new Filter.Or(List.of(new Filter.Exists(field))));
        samples.put(Tables.class, () -> tables);
        samples.put(Table.class, () -> tables.table("key"));
        samples.put(Table.Order.class, () -> new Table.Order(field, true));
        samples.put(Index.class, () -> Index.on(field));
        samples.put(Column.class, () -> Column.of(field, Column.Type.TEXT));
        samples.put(Column.Type.class, () -> Column.Type.TEXT);
        samples.put(Schema.class, () -> Schema.of(List.of(Column.of(field, Column.Type.TEXT))));
        samples.put(Schema.Imported.class, () -> new Schema.Imported(Schema.of(List.of()), List.of()));
        samples.put(Plan.class, () -> new Plan(Filter.all(), List.of()));
        samples.put(
                Row.class,
                () -> tables.table("key")
                        .put("id", Document.parse("{}"))
                        .get("id")
                        .orElseThrow());
        samples.put(Summary.class, () -> tables.table("key").summary(Filter.all(), field));
        samples.put(TableBatch.class, tables::batch);
        samples.put(Conflict.class, () -> Conflict.of("key", Optional.empty(), Optional.empty(), Optional.empty()));
        samples.put(Iterable.class, List::of);
        samples.put(MergeRules.class, Tables::mergeRules);
        samples.put(MergeRules.Side.class, () -> MergeRules.Side.of(tables.pail()));
        samples.put(
                MergeRules.Comparison.class,
                () -> MergeRules.keys()
                        .compare(tables.pail(), MergeRules.Side.of(tables.pail()), MergeRules.Side.of(tables.pail())));
        samples.put(TableMerge.class, () -> TableMerge.of(tables.pail(), tables.pail(), tables.pail()));
        samples.put(TableRules.class, TableRules::new);
        samples.put(PrefixRules.class, PrefixRules::new);
        samples.put(ValueMerge.class, () -> ValueMerge.of(Set.of()));
        samples.put(MergeRules.Outcome.class, () -> MergeRules.keys().repair(tables.pail(), tables.pail()));
        samples.put(TableLineage.class, () -> new TableLineage(tables.pail()));
        samples.put(TableBatch.Load.class, () -> new TableBatch.Load(field, false));
    }

    private void stores(Repository repository, BlockStore files, SegmentBlockStore segments) throws IOException {
        Path car = folder.resolve("one.car");
        Block block = Block.of(Cid.RAW, new byte[1]);
        try (CarWriter writer = CarWriter.of(Files.newOutputStream(car), "", List.of())) {
            writer.write(block);
        }
        repository.update("main", before -> before.put("key", block.cid()));
        repository.branches().create("key", repository.pail());
        Snapshot snapshot = repository.snapshot("main");
        samples.put(Verification.Values.class, () -> (Verification.Values) (value, key) -> {});
        samples.put(ValueCheck.Problems.class, () -> (ValueCheck.Problems) (key, isValue, cause) -> {});
        samples.put(
                ValueCheck.class,
                () -> new ValueCheck(
                        repository.blocks(), ValueCheck.Extent.LINKED, () -> {}, (key, place, cause) -> {}));
        samples.put(Object.class, () -> "answer");
        samples.put(OriginHints.class, () -> segments);
        samples.put(LocatedBlocks.class, () -> segments);
        samples.put(RowLoc.class, () -> new RowLoc(0, 0, 0));
        samples.put(BlockLocation.class, () -> BlockLocation.without(BlockLocation.Form.FILE));
        samples.put(SharedShards.class, repository::blocks);
        MemoryRefs refs = new MemoryRefs();
        BranchState main = refs.branch("main");
        samples.put(Clock.class, Clock::systemUTC);
        samples.put(MemoryBlocks.class, MemoryBlocks::new);
        samples.put(RepositoryBlocks.class, MemoryBlocks::new);
        samples.put(SweptBlocks.class, () -> new MemoryBlocks().swept());
        samples.put(SweepRule.class, () -> new SweepRule(cid -> true, Instant.EPOCH));
        samples.put(Swept.class, () -> Swept.NOTHING);
        samples.put(Swept.Sum.class, Swept.NOTHING::kept);
        samples.put(SweptBlocks.Portion.class, () -> {
            MemoryBlocks stored = new MemoryBlocks();
            stored.put(block);
            return stored.swept().portions().next();
        });
        samples.put(MemoryRefs.class, () -> refs);
        samples.put(Lock.class, ReentrantLock::new);
        samples.put(RecordRefs.class, () -> refs);
        samples.put(RefRecords.class, () -> stub(RefRecords.class));
        samples.put(RepositoryLocator.class, () -> stub(RepositoryLocator.class));
        samples.put(RefStore.class, () -> refs);
        samples.put(RefStore.Turns.class, refs::turns);
        samples.put(RefStore.Update.class, () -> refs.update(update -> update));
        samples.put(ChangeFeed.class, () -> repository.changes("main"));
        samples.put(
                ChangeFeed.Update.class,
                () -> repository.changes("main", 0).poll().orElseThrow());
        samples.put(RefLog.class, () -> refs.log(main));
        samples.put(BranchState.class, () -> main);
        Tracking tracking = new Tracking(0, true, Head.empty());
        RemoteBranch branch = new RemoteBranch("main", 0, Head.empty());
        RepositoryRemote remote = RepositoryRemote.of(repository, "there");
        samples.put(Tracking.class, () -> tracking);
        samples.put(Part.class, () -> new Part("origin", "", true));
        samples.put(OptionalLong.class, OptionalLong::empty);
        samples.put(Remote.class, () -> remote);
        samples.put(RepositoryRemote.class, () -> remote);
        Quarantine quarantine = Quarantine.of(repository, Clock.systemUTC());
        samples.put(Quarantine.class, () -> quarantine);
        samples.put(Quarantine.Area.class, () -> quarantine.enter("key"));
        samples.put(RepositoryRemote.Apart.class, () -> quarantine.enter("key"));
        samples.put(RepositoryRemote.Offer.class, () -> remote.offer(FetchRequest.of("main")));
        samples.put(HttpRemote.class, () -> HttpRemote.open("http://127.0.0.1:1", Optional.empty()));
        HttpGateway gateway = HttpGateway.open("http://127.0.0.1:1", Optional.empty());
        samples.put(HttpGateway.class, () -> gateway);
        samples.put(GatewayBlocks.class, () -> GatewayBlocks.open(gateway));
        samples.put(Exchange.class, () -> Exchange.of(repository, "key", remote));
        Following.Listener listener = fetched -> {};
        samples.put(Following.class, () -> Following.of(Exchange.of(repository, "key", remote), "main", listener));
        samples.put(Following.Listener.class, () -> listener);
        Mirror.Change change = new Mirror.Change(Mirror.Kind.TAG, "v1", Head.empty());
        samples.put(Mirror.class, () -> Mirror.of(Repository.inMemory(), remote, each -> {}));
        samples.put(Mirror.Listener.class, () -> (Mirror.Listener) each -> {});
        samples.put(Mirror.Change.class, () -> change);
        samples.put(FetchRequest.class, () -> FetchRequest.of("main"));
        samples.put(
                PushRequest.class,
                () -> new PushRequest("main", snapshot.head(), Optional.empty(), PushMode.FAST_FORWARD));
        samples.put(RemoteBranch.class, () -> branch);
        samples.put(RemoteInfo.class, remote::info);
        samples.put(RemoteState.class, remote::state);
        samples.put(NextReads.class, () -> new NextReads.History(1));
        samples.put(NextReads.History.class, () -> new NextReads.History(1));
        samples.put(NextReads.Entries.class, () -> new NextReads.Entries(List.of(), KeyRange.all(), 1));
        samples.put(
                NextReads.Changes.class,
                () -> new NextReads.Changes(repository.root("main"), repository.root("main"), KeyRange.all(), 1));
        samples.put(ReadHints.class, () -> (ReadHints) repository.blocks());
        samples.put(ServedLocator.class, ServedLocator::new);
        samples.put(BlockSource.class, () -> (BlockSource) (cids, target) -> {});
        samples.put(RemoteReads.class, () -> RemoteReads.of(remote));
        samples.put(BlockSources.class, () -> BlockSources.of(Map.of(), BlockSources.Listener.NONE));
        samples.put(BlockSources.Listener.class, () -> BlockSources.Listener.NONE);
        samples.put(FetchReply.class, () -> new FetchReply(FetchReply.Outcome.UNCHANGED, 0, Head.empty(), 0));
        samples.put(Remote.PartReceiver.class, () -> (Remote.PartReceiver) (size, bytes, length) -> {});
        samples.put(PushReply.class, () -> new PushReply(PushReply.Outcome.DONE, branch));
        samples.put(FetchResult.class, () -> new FetchResult("key/main", Optional.empty(), tracking, 0, false));
        samples.put(Pushed.class, () -> new Pushed(branch, 0, false, false));
        samples.put(RefToken.class, snapshot::token);
        samples.put(Erasing.class, repository.maintenance()::erasing);
        samples.put(Erasures.class, Erasures::unsupported);
        samples.put(RecordErasures.class, () -> new MemoryBlocks().erasures());
        samples.put(
                Erasure.class,
                () -> new Erasure(Erasure.State.MARKED, block.cid(), block.cid(), Instant.EPOCH, Note.NONE));
        samples.put(ErasurePlan.class, () -> repository.maintenance().erasing().plan(List.of()));
        samples.put(Epoch.class, () -> Epoch.NONE);
        samples.put(PailChange.class, () -> (PailChange<RuntimeException>) pail -> pail);
        samples.put(
                RepositoryStores.class,
                () -> new RepositoryStores(repository.refs(), new MemoryBlocks(), ShardFormat.v1()));
        samples.put(FileLocator.class, FileLocator::new);
        samples.put(Branches.class, repository::branches);
        samples.put(Tags.class, repository::tags);
        samples.put(HeadNotes.class, repository::headNotes);
        samples.put(Conflicts.class, repository::conflicts);
        samples.put(RecentCounts.class, RecentCounts::new);
        samples.put(ConflictCache.class, () -> ConflictCache.NONE);
        samples.put(RecentConflicts.class, RecentConflicts::new);
        BiFunction<ConflictEntry, BlockStore, Optional<Cid>> decision = (entry, blocks) -> entry.stands();
        samples.put(BiFunction.class, () -> decision);
        samples.put(VersionHistory.class, repository::history);
        samples.put(RemoteRefs.class, repository::remotes);
        samples.put(Maintenance.class, repository::maintenance);
        samples.put(Updated.class, () -> new Updated(snapshot, snapshot));
        samples.put(URI.class, () -> URI.create("file:///repository"));
        samples.put(Runnable.class, () -> (Runnable) () -> {});
        samples.put(Consumer.class, () -> (Consumer<?>) given -> {});
        samples.put(LongConsumer.class, () -> (LongConsumer) given -> {});
        samples.put(Predicate.class, () -> (Predicate<?>) given -> true);
        samples.put(UnaryOperator.class, UnaryOperator::identity);
        samples.put(Duration.class, () -> Duration.ZERO);
        samples.put(Instant.class, () -> Instant.EPOCH);
        samples.put(ZoneId.class, () -> ZoneOffset.UTC);
        samples.put(InputStream.class, () -> Files.newInputStream(car));
        samples.put(OutputStream.class, OutputStream::nullOutputStream);
        FileRepository storage = FileRepository.of(repository).orElseThrow();
        samples.put(Disk.class, Disk::system);
        samples.put(FileRepository.class, () -> storage);
        samples.put(DerivedRoots.class, () -> DerivedRoots.NONE);
        samples.put(Path.class, storage::folder);
        samples.put(PailException.class, () -> new MissingBlockException(block.cid()));
        samples.put(MemoryBlockStore.class, MemoryBlockStore::new);
        samples.put(CachingBlockStore.class, () -> new CachingBlockStore(segments, 0));
        samples.put(WatchedBlockStore.class, () -> new WatchedBlockStore(segments, told -> {}));
        samples.put(DirectoryBlockStore.class, () -> files);
        samples.put(SegmentBlockStore.class, () -> segments);
        samples.put(SegmentStatistics.class, segments::statistics);
        samples.put(CarHeader.class, () -> new CarHeader(1, List.of()));
        samples.put(CarReader.class, () -> CarReader.of(Files.newInputStream(car), ""));
        samples.put(CarBlockStore.class, () -> CarBlockStore.open(car));
        samples.put(CarWriter.class, () -> CarWriter.of(OutputStream.nullOutputStream(), "", List.of()));
        samples.put(CarExport.class, () -> CarExport.of(repository.blocks(), List.of()));
        samples.put(Repository.class, () -> repository);
        samples.put(Snapshot.class, () -> snapshot);
        samples.put(Revision.class, () -> repository.resolve("main"));
        samples.put(MergeOptions.class, () -> MergeOptions.DEFAULT);
        samples.put(
                MergeResult.class,
                () -> repository.merge("main", repository.resolve("main"), MergeOptions.DEFAULT.withDryRun()));
        samples.put(ImportOptions.class, () -> ImportOptions.DEFAULT);
        samples.put(UnrelatedHistories.class, () -> UnrelatedHistories.REFUSE);
        samples.put(CarImport.class, () -> CarImport.of(CarReader.of(Files.newInputStream(car), ""), files));
        samples.put(Description.class, () -> Description.of("a", "b", Instant.EPOCH));
        samples.put(InitOptions.class, () -> InitOptions.of(ShardFormat.v1()));
        samples.put(
                HistoryEntry.class,
                () -> repository.history().of("main").findFirst().orElseThrow());
        samples.put(RemoteTag.class, () -> new RemoteTag("v1", repository.head("main")));
        samples.put(Note.class, () -> Note.NONE);
        samples.put(LogEntry.class, () -> new LogEntry(1, Instant.EPOCH, "", Head.of(), Head.of()));
        samples.put(GarbageCollection.class, repository.maintenance()::garbageCollection);
        samples.put(CarVersions.class, () -> CarVersions.of(CarBlockStore.open(car)));
        samples.put(VerifyOptions.class, () -> VerifyOptions.DEFAULT);
        samples.put(VerifyReport.Kind.class, () -> VerifyReport.Kind.MISSING);
        samples.put(VerifyReport.Subject.class, () -> VerifyReport.Subject.EVENT);
        samples.put(VerifyReport.Name.class, () -> VerifyReport.Name.BRANCH);
        samples.put(Packing.class, storage::packing);
        samples.put(CopyOptions.class, () -> CopyOptions.DEFAULT);
        samples.put(CopyListener.class, () -> CopyListener.NONE);
        unixFs(block.cid());
        folders(repository.blocks(), block.cid());
        samples.put(Collected.Amount.class, () -> new Collected.Amount(0, 0));
    }

    /** Refuses each call: null must be refused before that. */
    private static Object stub(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, given);
            }
            throw new UnsupportedOperationException(method.toString());
        });
    }

    private void services(Repository repository) {
        samples.put(Disk.WritableFile.class, () -> stub(Disk.WritableFile.class));
        samples.put(IOException.class, () -> new IOException("failed"));
        samples.put(DataSource.class, () -> stub(DataSource.class));
        samples.put(S3Client.class, () -> stub(S3Client.class));
        samples.put(PostgresLocator.class, PostgresLocator::new);
        samples.put(PostgresStorage.class, () -> PostgresStorage.of((DataSource) stub(DataSource.class)));
        samples.put(S3Locator.class, S3Locator::new);
        samples.put(S3Storage.class, () -> S3Storage.of((S3Client) stub(S3Client.class), "bucket"));
        samples.put(InetSocketAddress.class, () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        samples.put(ServerLimits.class, () -> ServerLimits.DEFAULT);
        samples.put(ServerOptions.class, () -> PailServer.over(repository));
        samples.put(HttpRepositoryServer.class, HttpRepositoryServer::new);
        samples.put(RepositoryServer.Options.class, () -> new HttpRepositoryServer().over(repository));
    }

    private void folders(BlockStore blocks, Cid file) {
        samples.put(PutOptions.class, () -> PutOptions.DEFAULT);
        samples.put(RestoreOptions.class, () -> RestoreOptions.DEFAULT);
        samples.put(FolderKeys.class, () -> FolderKeys.SAME);
        samples.put(FolderListener.class, () -> FolderListener.NONE);
        samples.put(FolderImportOptions.class, () -> FolderImportOptions.DEFAULT);
        samples.put(FolderImport.class, () -> FolderImport.of(file, FolderImportOptions.DEFAULT));
        samples.put(FolderPut.class, () -> FolderPut.of(folder, PutOptions.DEFAULT));
        samples.put(FolderRestore.class, () -> FolderRestore.to(folder, blocks, RestoreOptions.DEFAULT));
    }

    private void unixFs(Cid file) {
        BlockStore blocks = new MemoryBlockStore();
        blocks.put(Block.of(Cid.RAW, new byte[1]));
        Cid root = new FolderWriter(blocks, blocks).finish();
        samples.put(FileLayout.class, () -> FileLayout.V1_2025);
        samples.put(WalkLimits.class, () -> WalkLimits.DEFAULT);
        samples.put(UnixFsFile.class, () -> UnixFs.open(blocks, file));
        samples.put(UnixFsNode.class, () -> UnixFs.node(blocks, root));
        samples.put(FolderWalk.class, () -> UnixFs.walk(blocks, root));
        samples.put(FolderWriter.class, () -> new FolderWriter(blocks, blocks));
        samples.put(FolderLink.class, () -> new FolderLink("key", file));
        samples.put(FolderEntry.class, () -> new FolderEntry("key", file, UnixFs.node(blocks, file)));
        samples.put(OptionalInt.class, OptionalInt::empty);
    }
}
