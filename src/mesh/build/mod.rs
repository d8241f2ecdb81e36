//! Steps that build the plan of a mesh.

pub(crate) mod voxels;
