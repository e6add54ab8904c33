const pattern = /^\/api\/admin\/ws\/instances\/([^/]+)$/

/** What stands for the zone's id in the address of a feed, `/api/admin/ws/instances/{id}`; undefined for any other path. */
export const zoneIdIn = (path: string): string | undefined => pattern.exec(path)?.[1]
