/** In the place of the HDF5 library, which is WebAssembly and would need a weaker policy: it cannot be loaded in a page. */
throw new Error(
  "HDF5 files cannot be read in the page: convert the file first, e.g. escapement convert log.h5 log.csv",
);
