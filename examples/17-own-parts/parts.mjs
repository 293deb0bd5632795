/** A wind that swings east and west, in plain JavaScript: a kind is an object, so there is nothing to import. */
const swing = {
  name: "swing",
  about: "Blows east for five seconds, then west, and so on.",
  version: 1,
  params: {
    amplitudeMps: { type: "number", unit: "m/s", min: 0, max: 30, default: 3, about: "Wind speed." },
  },
  make: ({ amplitudeMps }) => ({
    sampleInto(windNed, { clock }) {
      windNed.fill(0);
      windNed[1] = Math.floor(clock.s / 5) % 2 === 0 ? amplitudeMps : -amplitudeMps;
    },
    save() {},
    load() {},
  }),
};

export const winds = [swing];
