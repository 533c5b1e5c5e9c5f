package org.naklab.lab.instruments.linking;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says how the libraries of a process, or one file, are bound.
 *
 * @param pid of the process; null for a file
 * @param program path of the executable; null for a file
 * @param bindNow whether the environment of the process had {@code LD_BIND_NOW} when it was started
 * @param audited whether an audit library that hooks calls is loaded: the dynamic linker then keeps bound addresses elsewhere, and every slot looks unbound
 * @param unbound symbols that are still to be bound; of a file, those that a process would bind at their first call
 * @param notRead files of the process that could not be read
 * @param libraries the executable first
 * @param remedies those that apply
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Bindings(
        @Nullable Long pid,
        @Nullable String program,
        boolean bindNow,
        boolean audited,
        int unbound,
        List<String> notRead,
        List<Library> libraries,
        List<Remedy> remedies) {

    /**
     * Is one library.
     *
     * @param file path as the process sees it
     * @param kind {@code static}: it has nothing to bind
     * @param symbols those that are unbound
     * @param threads names and ids of the threads that have code of the library on their stacks; null if it has no unbound symbol, or the threads are not known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Library(
            String file,
            String kind,
            @JsonUnwrapped Binding binding,
            List<Symbol> symbols,
            @Nullable List<String> threads) {
        /**
         * Tells how its symbols are bound.
         *
         * @param bindNow whether the file itself asks to be bound when it is loaded
         * @param slots functions that it calls through its linkage table
         */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Binding(Relro relro, boolean bindNow, int slots, int unbound) {}
    }

    /**
     * Is a symbol that is unbound.
     *
     * @param slot address, hexadecimal: of the process, or as the file says it
     * @param definedIn file name of the library that defines it; null if none of the search scope does, or it was not searched
     * @param pagesRead pages of files that its bind would read; null if not known
     * @param pagesOnDisk those of them that are not in the page cache; null if not known
     * @param onDisk the places of these
     * @param pending what its bind would do; null if that was not looked up
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Symbol(
            String symbol,
            String slot,
            @Nullable String definedIn,
            @Nullable Integer pagesRead,
            @Nullable Integer pagesOnDisk,
            @Nullable List<Place> onDisk,
            @JsonIgnore @Nullable PendingBind pending) {}

    /** Is a part of a library with pages that a bind reads. */
    public record Place(String file, String section, int pages) {}

    /**
     * Is a remedy that applies.
     *
     * @param name {@code LD_BIND_NOW}, {@code z-now}, {@code touch} or {@code lock}
     * @param how what is to be done
     */
    public record Remedy(String name, String how) {}
}
