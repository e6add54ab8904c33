import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Takes a lock of POSIX on a byte of a file, says how that went, and keeps it until its input ends. `struct flock` of 64 bits. */
const script = `
use Fcntl qw(F_SETLK F_WRLCK SEEK_SET);
open(my $file, '+<', $ARGV[0]) or die $!;
my $lock = pack('s s x![q] q q l x4', F_WRLCK, SEEK_SET, $ARGV[1], 1, 0);
$| = 1;
print fcntl($file, F_SETLK, $lock) ? 'held' : 'refused';
<STDIN>;
`

/** What another process holds, or was refused. */
export type HeldByte = { readonly isHeld: boolean; release(): Promise<void> }

/**
 * Another process that locks one byte of a file, as LMDB locks the byte of its process's id in `lock.mdb`: with the id of this process it
 * is one in another container. In Perl, which every Debian has.
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
