// Preload it with `NODE_OPTIONS=--import` to shift the time of day of a process by CLOCK_OFF_MS, as on a machine with a wrong
// clock.
const offMs = Number(process.env.CLOCK_OFF_MS)
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offMs] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + offMs).toString(),
  get: (target, key) => (key === 'now' ? () => RealDate.now() + offMs : Reflect.get(target, key)),
})
