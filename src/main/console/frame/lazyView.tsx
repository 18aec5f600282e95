import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../base/components/States';
import { track } from '../base/working';

type View = ComponentType<{ params: Record<string, string> }>;

/** Until the component is loaded, the progress line is shown. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, again] = useState(false);
    useEffect(() => {
      if (!loaded) {
        void track(load()).then((part) => {
          loaded = part;
          again(true);
        });
      }
    }, []);
    const Shown = loaded;
    return Shown ? <Shown {...props} /> : null;
  };
}

export function lazyView(load: () => Promise<{ default: View }>): View {
  let loaded: View | undefined;
  return function Lazy(props) {
    const [, again] = useState(false);
    useEffect(() => {
      if (!loaded) {
        void load().then((module) => {
          loaded = module.default;
          again(true);
        });
      }
    }, []);
    const Shown = loaded;
    return Shown ? (
      <Shown {...props} />
    ) : (
      <div class="centre">
        <Skeleton lines={1} />
      </div>
    );
  };
}
