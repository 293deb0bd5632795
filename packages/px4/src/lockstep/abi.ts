/**
 * Bindings to the C interface of `libpx4_lockstep`, version 3, through koffi: one thin function per C function.
 *
 * Messages and out-parameters are typed arrays whose memory the library writes directly, so a call allocates nothing.
 * Calls are never asynchronous, because PX4's modules must run on one thread in a fixed order. Version and sizes are
 * checked before any other call.
 */
import { createRequire } from "node:module";
import type { LibraryHandle } from "koffi";
import { lockstepErrors } from "./errors.ts";

export const ABI_VERSION = 3;
const CONFIG_BYTES = 36;

/** An opaque pointer from the library. */
export type Handle = unknown;

export interface LockstepAbi {
  readonly create: (config: Int32Array) => Handle;
  readonly destroy: (handle: Handle) => void;
  readonly loadMission: (handle: Handle, path: string) => number;
  readonly step: (handle: Handle, timeUs: number) => number;
  readonly setI32: (handle: Handle, name: string, value: number) => number;
  readonly setF32: (handle: Handle, name: string, value: number) => number;
  readonly getI32: (handle: Handle, name: string, out: Int32Array) => number;
  readonly getF32: (handle: Handle, name: string, out: Float32Array) => number;
  readonly notifyParams: (handle: Handle) => number;
  readonly updateAllocation: (handle: Handle) => number;
  readonly metadata: (
    handle: Handle,
    topic: string,
    fields: BigUint64Array,
    size: Uint32Array,
    sizeNoPadding: Uint32Array,
    hash: Uint32Array,
    queue: Uint8Array,
  ) => number;
  readonly createPublisher: (
    handle: Handle,
    topic: string,
    priority: number,
    queue: number,
    instance: number,
    pub: Int32Array,
    outInstance: Int32Array,
    size: Uint32Array,
  ) => number;
  readonly queuePublish: (handle: Handle, pub: number, message: Uint8Array, size: number) => number;
  readonly createSubscriber: (
    handle: Handle,
    topic: string,
    instance: number,
    sub: Int32Array,
    size: Uint32Array,
  ) => number;
  readonly check: (handle: Handle, sub: number, updated: Int32Array) => number;
  readonly copy: (handle: Handle, sub: number, message: Uint8Array, size: number) => number;
  /** Switches PX4's parameter autosave on or off; undefined if the library does not export it. */
  readonly controlAutosave: ((on: boolean) => void) | undefined;
  /** Access to PX4's mission store; undefined if the library does not export it. */
  readonly readStored: ((item: number, index: number, out: Uint8Array, size: number) => boolean) | undefined;
  readonly writeStored: ((item: number, index: number, bytes: Uint8Array, size: number) => boolean) | undefined;
  /** Publishes a `vehicle_command` to PX4's modules immediately; undefined if the library lacks the symbols for it. */
  readonly publishCommand: ((bytes: Uint8Array) => boolean) | undefined;
}

interface Koffi {
  load(path: string): LibraryHandle;
}

/** Loads the library and checks that its interface version and sizes match ours. */
export function loadAbi(path: string): LockstepAbi {
  const library = loadLibrary(path);
  const bind = (definition: string) => bindFunction(library, definition, path);
  const version = (bind("uint32_t px4_lockstep_abi_version(void)") as () => number)();
  const sizes = new Uint32Array(3);
  if (version === ABI_VERSION) {
    const getSizes = bind("void px4_lockstep_sizes(uint32_t *in, uint32_t *out, uint32_t *config)");
    getSizes(sizes.subarray(0, 1), sizes.subarray(1, 2), sizes.subarray(2, 3));
  }
  if (version !== ABI_VERSION || sizes[0] !== 0 || sizes[1] !== 0 || sizes[2] !== CONFIG_BYTES) {
    throw lockstepErrors.wrongAbi({
      what: `${path} has interface version ${version} with sizes ${[...sizes].join(", ")}, but version ${ABI_VERSION} with sizes 0, 0, ${CONFIG_BYTES} is expected`,
      fix: "rebuild the library from a PX4 tree with the lockstep interface, version 3",
    });
  }
  return {
    create: bind("void *px4_lockstep_create(const void *config)"),
    destroy: bind("void px4_lockstep_destroy(void *handle)"),
    loadMission: bind("int px4_lockstep_load_mission_qgc_wpl(void *handle, const char *path)"),
    step: bind("int px4_lockstep_step_uorb(void *handle, uint64_t time_us)"),
    setI32: bind("int px4_lockstep_param_set_i32(void *handle, const char *name, int32_t value)"),
    setF32: bind("int px4_lockstep_param_set_f32(void *handle, const char *name, float value)"),
    getI32: bind("int px4_lockstep_param_get_i32(void *handle, const char *name, void *out)"),
    getF32: bind("int px4_lockstep_param_get_f32(void *handle, const char *name, void *out)"),
    notifyParams: bind("int px4_lockstep_param_notify(void *handle)"),
    updateAllocation: bind("int px4_lockstep_control_alloc_update_params(void *handle)"),
    metadata: bind(
      "int px4_lockstep_orb_topic_metadata(void *handle, const char *topic, void *fields, void *size, void *size_no_pad, void *hash, void *queue)",
    ),
    createPublisher: bind(
      "int px4_lockstep_orb_create_publisher_ex(void *handle, const char *topic, int32_t priority, uint32_t queue, int32_t instance, void *pub, void *out_instance, void *size)",
    ),
    queuePublish: bind(
      "int px4_lockstep_orb_queue_publish(void *handle, int32_t pub, const void *message, uint32_t size)",
    ),
    createSubscriber: bind(
      "int px4_lockstep_orb_create_subscriber(void *handle, const char *topic, uint32_t instance, void *sub, void *size)",
    ),
    check: bind("int px4_lockstep_orb_check(void *handle, int32_t sub, void *updated)"),
    copy: bind("int px4_lockstep_orb_copy(void *handle, int32_t sub, void *message, uint32_t size)"),
    controlAutosave: bindOptional(library, "void param_control_autosave(bool on)"),
    readStored: bindOptional(library, "bool dm_lockstep_read(int item, uint32_t index, void *buffer, size_t length)"),
    writeStored: bindOptional(
      library,
      "bool dm_lockstep_write(int item, uint32_t index, const void *buffer, size_t length)",
    ),
    publishCommand: commandPublisher(library),
  };
}

/**
 * Returns a function that publishes a command to PX4's modules. They advertise `vehicle_command` themselves and read
 * only its first instance. A publisher of the interface would get the next instance, so this calls `orb_advertise` of
 * uORB directly, which publishes to the first instance.
 */
function commandPublisher(library: LibraryHandle): LockstepAbi["publishCommand"] {
  const advertise = bindOptional(library, "void *orb_advertise(const void *topic, const void *message)");
  if (advertise === undefined) return undefined;
  try {
    const topic: unknown = library.symbol("__orb_vehicle_command");
    return (bytes) => advertise(topic, bytes) !== null;
  } catch {
    return undefined;
  }
}

/** Loads koffi, which is an optional dependency, together with the first library. */
function loadKoffi(): Koffi {
  try {
    return createRequire(import.meta.url)("koffi") as Koffi;
  } catch (cause) {
    throw lockstepErrors.notLoadable({
      what: "the PX4 lockstep library is called through the package koffi, which cannot be loaded",
      fix: "run npm install koffi",
      cause,
    });
  }
}

function loadLibrary(path: string): LibraryHandle {
  const koffi = loadKoffi();
  try {
    return koffi.load(path);
  } catch (cause) {
    throw lockstepErrors.notLoadable({
      what: `${path} cannot be loaded: ${(cause as Error).message}`,
      fix: "name a libpx4_lockstep built for this machine",
      cause,
    });
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyFunction = (...args: any[]) => any;

function bindFunction(library: LibraryHandle, definition: string, path: string): AnyFunction {
  try {
    return library.func(definition);
  } catch (cause) {
    throw lockstepErrors.notLoadable({
      what: `${path} lacks a function of the interface: ${(cause as Error).message}`,
      fix: "name a libpx4_lockstep built from a PX4 tree with the lockstep interface",
      cause,
    });
  }
}

function bindOptional(library: LibraryHandle, definition: string): AnyFunction | undefined {
  try {
    return library.func(definition);
  } catch {
    return undefined;
  }
}
