package dev.pail.car;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CARs with deltas: they bring what plain ones bring, and cost less (CAR13). */
class DeltaSectionsTest {
    private static final int CHANGES = 100;

    private static Cid value(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number, (byte) (number >> 8), (byte) (number >> 16)})
                .cid();
    }

    /** A history: many keys in one event, then single puts. */
    private record History(BlockStore blocks, Head before, Head after) {
        static History of(ShardFormat format, int keys, int changes, Random random) {
            BlockStore blocks = new MemoryBlockStore();
            Pail pail = Pail.create(blocks, format);
            var batch = pail.batch();
            for (int i = 0; i < keys; i++) {
                batch.put("user/" + i * 7919L % 1_000_003 + "/name", value(i));
            }
            Pail first = batch.commit();
            Event event = Event.of(new Operation.Put("first", value(0)), first.root(), List.of());
            blocks.put(event.block());
            Head before = Head.of(event.cid());
            ReplicatedPail replica = ReplicatedPail.open(blocks, before);
            for (int i = 0; i < changes; i++) {
                replica = replica.put("user/" + random.nextInt(keys) * 7919L % 1_000_003 + "/name", value(keys + i));
            }
            return new History(blocks, before, replica.head());
        }

        CarExport export() {
            return CarExport.of(blocks, after.events())
                    .beginningWith(MerkleClock.open(blocks).since(after, before))
                    .since(before.events().get(0));
        }

        MemoryBlockStore receiver() {
            MemoryBlockStore receiver = new MemoryBlockStore();
            CarExport.of(blocks, before.events()).copyTo(receiver);
            return receiver;
        }
    }

    private static byte[] deltas(CarExport export) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CarExport.Written unused = export.writeDeltasTo(out, "");
        return out.toByteArray();
    }

    private static CarReader reader(byte[] bytes) {
        return CarReader.of(new ByteArrayInputStream(bytes), "");
    }

    private static Set<Cid> cids(CarExport export) {
        Set<Cid> cids = new HashSet<>();
        long unused = export.forEach(block -> cids.add(block.cid()));
        return cids;
    }

    /** 100 single puts on 100,000 keys, with every version. */
    @ParameterizedTest
    @CsvSource({"v1, 250000", "v0, 300000"})
    void aChangeCostsAboutItsBytes_CAR13(String format, int most) {
        Random random = Randomness.random("DeltaSectionsTest.aChangeCostsAboutItsBytes");
        History history = History.of(ShardFormat.named(format), 100_000, CHANGES, random);
        byte[] deltas = deltas(history.export());
        System.out.println(format + ": " + deltas.length + " bytes with deltas");
        assertThat(deltas.length).isLessThanOrEqualTo(most);
        MemoryBlockStore receiver = history.receiver();
        CarImport taken = CarImport.ofDeltas(reader(deltas), receiver);
        assertThat(taken.refused()).isZero();
        assertThat(Completeness.require(receiver, history.after.events())).isPositive();
    }

    /** The slow twin: the same blocks arrive as by a plain CAR, for any history. */
    @Test
    void theSameBlocksArrive_CAR13() {
        long seed = Randomness.seed("DeltaSectionsTest.theSameBlocksArrive");
        for (int run = 0; run < Randomness.times(30, 1000); run++) {
            Random random = Randomness.random(seed + run);
            ShardFormat format = random.nextBoolean() ? ShardFormat.v1() : ShardFormat.v0(2000, 64);
            History history = History.of(format, 1 + random.nextInt(400), 1 + random.nextInt(40), random);
            boolean isAll = random.nextInt(4) == 0;
            CarExport export = isAll ? CarExport.of(history.blocks, history.after.events()) : history.export();
            export = random.nextBoolean() ? export.withoutValues() : export;
            MemoryBlockStore receiver = isAll ? new MemoryBlockStore() : history.receiver();
            CarImport taken = CarImport.ofDeltas(reader(deltas(export)), receiver);
            Set<Cid> expected = cids(export);
            assertThat(taken.header().roots()).isEqualTo(history.after.events());
            assertThat(taken.added() + taken.known()).isEqualTo(expected.size());
            assertThat(expected).allMatch(receiver::has);
        }
    }

    @Test
    void wrongDeltasAreRefused_CAR13() {
        long seed = Randomness.seed("DeltaSectionsTest.wrongDeltasAreRefused");
        Random random = Randomness.random(seed);
        History history = History.of(ShardFormat.v1(), 300, 10, random);
        byte[] right = deltas(history.export());
        Set<Cid> known = cids(CarExport.of(history.blocks, history.after.events()));
        for (int run = 0; run < Randomness.times(500, 20_000); run++) {
            byte[] wrong = right.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
            }
            wrong = random.nextInt(4) == 0 ? Arrays.copyOf(wrong, random.nextInt(wrong.length)) : wrong;
            MemoryBlockStore receiver = history.receiver();
            try {
                CarImport taken = CarImport.ofDeltas(reader(wrong), receiver);
                assertThat(taken.header()).isNotNull();
            } catch (PailException e) {
                assertThat(e.code()).isIn("malformed-car", "missing-block", "io");
            }
            // Each block that arrived matches its CID.
            for (Cid cid : known) {
                receiver.get(cid).ifPresent(block -> assertThat(block).isEqualTo(history.blocks.require(cid)));
            }
        }
    }

    @Test
    void aMissingBaseIsNamed_CAR13() {
        Random random = Randomness.random("DeltaSectionsTest.aMissingBaseIsNamed");
        History history = History.of(ShardFormat.v1(), 300, 3, random);
        assertThatExceptionOfType(BlockException.class)
                .isThrownBy(() -> CarImport.ofDeltas(reader(deltas(history.export())), new MemoryBlockStore()))
                .satisfies(e -> assertThat(history.blocks.has(e.cid())).isTrue());
    }

    /** Each may cost the time that 8 MiB take. */
    @ParameterizedTest
    @ValueSource(ints = {99, 100, 10_000})
    void manyWrongDeltasEndTheImport_CAR13(int number) throws IOException {
        Block base = Block.of(Cid.RAW, new byte[1000]);
        Block sound = Block.of(Cid.RAW, new byte[] {1});
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        name.write(value(1).toBytes());
        name.write(base.cid().toBytes());
        ByteArrayOutputStream car = new ByteArrayOutputStream();
        CarWriter writer = CarWriter.of(car, "", List.of());
        writer.write(sound);
        writer.flush();
        for (int i = 0; i < number; i++) {
            car.write(new byte[] {(byte) (4 + name.size() + 1), 1, (byte) Cid.RAW, 0, (byte) name.size()});
            car.write(name.toByteArray());
            car.write(1);
        }
        MemoryBlockStore receiver = new MemoryBlockStore();
        receiver.put(base);
        ByteArrayInputStream in = new ByteArrayInputStream(car.toByteArray());
        if (number < CarImport.MAX_REFUSED_DELTAS) {
            assertThat(CarImport.ofDeltas(CarReader.of(in, ""), receiver).damaged())
                    .isEqualTo(number);
        } else {
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> CarImport.ofDeltas(CarReader.of(in, ""), receiver));
        }
        assertThat(receiver.has(sound.cid())).isTrue();
    }
}
