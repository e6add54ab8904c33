// Preloaded with `NODE_OPTIONS=--import`, it makes the time of day of a process wrong by CLOCK_OFF_MS, as on a machine whose clock is off.
const offMs = Number(process.env.CLOCK_OFF_MS)
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offMs] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + offMs).toString(),
  get: (target, key) => (key === 'now' ? () => RealDate.now() + offMs : Reflect.get(target, key)),
})
