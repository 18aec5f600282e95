export interface Recorded {
  status?: string;
  input?: unknown;
  output?: unknown;
  duration?: number;
  errorMessage?: unknown;
  standardOutput?: string;
  standardError?: string;
}

export type RecordedSteps = Record<string, Recorded>;

export function recordOf(steps: RecordedSteps, name: string): Recorded | undefined {
  const inner = Object.values(steps).flatMap(
    (each) => (each.output as { iterations?: RecordedSteps[] } | undefined)?.iterations ?? [],
  );
  return steps[name] ?? inner.map((iteration) => recordOf(iteration, name)).find((found) => found !== undefined);
}

/** Names of the branches that a router's output lists as taken; undefined for any other output. */
export function branchesTaken(output: unknown): string[] | undefined {
  const branches = (output as { branches?: unknown } | null)?.branches;
  return Array.isArray(branches)
    ? (branches as Array<{ branchName?: string; evaluation?: boolean }>)
        .filter((each) => each.evaluation)
        .map((each) => each.branchName ?? '')
    : undefined;
}
