import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Locks a byte of a file with POSIX, prints the result, and keeps the lock until its input ends. `struct flock` has 64 bits. */
const script = `
use Fcntl qw(F_SETLK F_WRLCK SEEK_SET);
open(my $file, '+<', $ARGV[0]) or die $!;
my $lock = pack('s s x![q] q q l x4', F_WRLCK, SEEK_SET, $ARGV[1], 1, 0);
$| = 1;
print fcntl($file, F_SETLK, $lock) ? 'held' : 'refused';
<STDIN>;
`

/** The lock of another process, or its refusal. */
export type HeldByte = { readonly isHeld: boolean; release(): Promise<void> }

/**
 * Starts another process that locks one byte of a file, as LMDB locks the byte of its process id in `lock.mdb`. With the id of
 * this process it simulates a process in another container. It is in Perl, which every Debian has.
 */
export const holdByte = async (path: string, offset: number): Promise<HeldByte> => {
  const child: ChildProcess = spawn('perl', ['-e', script, path, String(offset)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [said] = await Promise.race([once(child.stdout ?? child, 'data'), ended])
  return {
    isHeld: String(said) === 'held',
    release: async () => {
      child.stdin?.end()
      await ended
    },
  }
}
