"""How large a batch fits into a GPU?"""

GIB = 2**30


def largest_batch(parameters: int, saved_per_image: int, gpu_gib: float) -> int:
    """The largest batch whose training step, in float32 with Adam, takes at most 90 % of the GPU's memory.

    Args:
        parameters: weights of the model.
        saved_per_image: bytes that the forward pass saves for the backward pass, for each image.
        gpu_gib: memory of the GPU in GiB.

    Returns:
        The number of images, 0 if not even one fits.
    """
    weights = gradients = 4 * parameters
    averages = 2 * 4 * parameters
    left = 0.9 * gpu_gib * GIB - weights - gradients - averages
    return max(0, int(left // saved_per_image))
