/** Packs the built repository at `root` into `folder`; answers the tarball. */
export function pack(root: string, folder: string): Promise<string>;
