import type { ComponentChildren } from 'preact';
import { Failed, Skeleton } from '../base/components/States';
import type { Query } from '../base/query';

export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  query: Query<T>;
  lines?: number;
  children: (value: T) => ComponentChildren;
}) {
  if (query.value !== undefined) {
    return <>{children(query.value)}</>;
  }
  return query.failure ? <Failed failure={query.failure} retry={query.reload} /> : <Skeleton lines={lines} />;
}
