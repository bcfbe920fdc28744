package dev.pail.server.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.eclipse.jetty.server.Request;

/** A response whose large blocks are within the budget while they wait for the client. */
public final class BudgetedOutput extends FilterOutputStream {
    /** Fewer bytes are no more than the buffers of a connection. */
    private static final int SMALL = 64 << 10;

    private final Request request;

    public BudgetedOutput(Request request, OutputStream out) {
        super(out);
        this.request = request;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length < SMALL) {
            out.write(bytes, offset, length);
            return;
        }
        MemoryBudget.Share share = MemoryBudget.takeBriefly(request, MemoryBudget.Purpose.RESPONSE, length);
        try {
            out.write(bytes, offset, length);
        } finally {
            share.close();
        }
    }
}
