// apt as the set-up needs it: the machine's own package sources only, nothing about them is changed.

import { spawnSync } from 'node:child_process';
import { SetupError } from './steps.mjs';
import { which } from './toolchain.mjs';

/** Debian's apt, or undefined where there is none. `run` is from `makeRunner`. */
export function findApt(run) {
  if (!which('apt-get')) return undefined;
  const asRoot = rootPrefix();
  const sudo = 'this is neither root nor allowed sudo without a password: run "sudo apt-get';
  return { update, candidate, install };

  /** Fetches the package lists. A source that does not answer is no reason to stop: the install will tell. */
  async function update() {
    if (!asRoot) {
      if (!candidate('g++')) throw new SetupError(`no package lists, and ${sudo} update", then the set-up again`);
      return;
    }
    try {
      await aptGet('update');
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
    }
  }

  /** The version that an install would give, or undefined. */
  function candidate(name) {
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } };
    const version = /Candidate: (\S+)/.exec(spawnSync('apt-cache', ['policy', name], options).stdout)?.[1];
    return version === '(none)' ? undefined : version?.replace(/^\d+:/, ''); // without Debian's epoch
  }

  async function install(names) {
    if (!asRoot) {
      const command = `install --no-install-recommends ${names.join(' ')}"`;
      throw new SetupError(`packages missing, and ${sudo} ${command}, then the set-up again`);
    }
    await aptGet('install', '-y', '--no-install-recommends', ...names);
  }

  function aptGet(...args) {
    // Wait for another apt instead of failing; ask no questions.
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args];
    const [program, ...rest] = [...asRoot, ...command];
    return run(program, rest);
  }
}

/** The prefix of a command that needs root: empty for root itself, undefined where root is out of reach. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : undefined;
}
