import { api } from '../../base/api/client';
import type { Failure } from '../../base/api/failure';
import { useRoleMay } from '../../base/permissions';
import { useQuery } from '../../base/query';
import { useStore } from '../../base/store';
import { useBuilder } from '../context';
import type { Choices, Property } from '../properties';
import { useScope } from './scope';

interface Asked<T> {
  value?: T | undefined;
  failure?: Failure | undefined;
  loading: boolean;
  reload: () => void;
}

/**
 * Options of a property from the piece, fetched again when a value that they depend on changes. None for a role that cannot edit
 * flows: the server refuses them.
 */
export function useOptions<T>(name: string, property: Property, search = ''): Asked<T> {
  const mayWrite = useRoleMay('WRITE_FLOW');
  const { builder, projectId } = useBuilder();
  const { step, input } = useScope();
  const flow = useStore(builder.store, (now) => now.flow);
  const { pieceName = '', pieceVersion = '', actionName, triggerName } = step.settings;
  const depends = [...(property.refreshers ?? []), 'auth'].map((each) => input[each]);
  return useQuery<T | undefined>(
    JSON.stringify([mayWrite, step.name, actionName ?? triggerName, pieceVersion, name, depends, search]),
    async (signal) => {
      if (!mayWrite) {
        return { ok: true as const, value: undefined };
      }
      const answer = await api('POST /v1/pieces/options', {
        body: {
          projectId,
          pieceName,
          pieceVersion,
          actionOrTriggerName: actionName ?? triggerName ?? '',
          propertyName: name,
          flowId: flow.id,
          flowVersionId: flow.version.id,
          input,
          ...(search ? { searchValue: search } : {}),
        },
        signal,
      });
      return answer.ok ? { ok: true as const, value: answer.value.options as T } : answer;
    },
  );
}

export function useChoices(name: string, property: Property, search: string): Asked<Choices> {
  const asked = property.type === 'DROPDOWN' || property.type === 'MULTI_SELECT_DROPDOWN';
  const given: Asked<Choices> = { value: property.options, loading: false, reload: () => undefined };
  // A conditional hook is safe here: the kind of a property never changes.
  return asked ? useOptions<Choices>(name, property, property.refreshOnSearch ? search : '') : given;
}
